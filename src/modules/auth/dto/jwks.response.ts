import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, TextField } from '#infra/http/dto/fields';

@ApiSchema({ description: 'An RSA public key (RFC 7517, RFC 7518 section 6.3).' })
export class JwkResponse {
  @EnumField(['RSA'], { description: 'The type of the key.' })
  kty: 'RSA';

  @TextField({
    max: 64,
    description: 'The key id in the header of every JWT that this key verifies.',
    example: 'qVhu3tTJ',
  })
  kid: string;

  @EnumField(['RS256'], { description: 'The algorithm of the signatures.' })
  alg: 'RS256';

  @EnumField(['sig'], { description: 'The key verifies signatures.' })
  use: 'sig';

  @TextField({
    max: 2000,
    description: 'The modulus in base64url.',
    example: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4',
  })
  n: string;

  @TextField({ max: 20, description: 'The exponent in base64url.', example: 'AQAB' })
  e: string;
}

@ApiSchema({ description: 'The public keys of access JWTs (RFC 7517, section 5).' })
export class JwksResponse {
  @ApiProperty({ type: [JwkResponse], description: 'All keys that a valid JWT may name.' })
  keys: JwkResponse[];
}
