import { ApiProperty } from '@nestjs/swagger';
import { EnumField, TextField } from '#infra/http/dto/fields';

/** An RSA public key (RFC 7517, RFC 7518 section 6.3). */
export class JwkResponse {
  @EnumField(['RSA'])
  kty: 'RSA';

  @TextField({
    max: 64,
    description: 'The key id in the header of every JWT that this key verifies.',
    example: 'qVhu3tTJ',
  })
  kid: string;

  @EnumField(['RS256'])
  alg: 'RS256';

  @EnumField(['sig'])
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

export class JwksResponse {
  @ApiProperty({ type: [JwkResponse] })
  keys: JwkResponse[];
}
