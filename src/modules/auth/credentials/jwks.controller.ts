import { Controller, Get, Header } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Secrets, type SigningKey } from '#infra/crypto/secrets';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { EnumField, TextField } from '#infra/http/dto/fields';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { JWKS_DOCS } from '../auth.docs';

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

@ApiTags('Login and session')
@Describe(JWKS_DOCS)
@Controller('.well-known')
export class JwksController {
  constructor(private readonly secrets: Secrets) {}

  @Get('jwks.json')
  @Access({ public: true })
  @Limit('read')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiResult('Get the public keys of access JWTs (RFC 7517)', JwksResponse)
  keys(): JwksResponse {
    return { keys: this.secrets.signingKeys.map(toJwk) };
  }
}

function toJwk({ id, publicKey }: SigningKey): JwkResponse {
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'RSA', kid: id, alg: 'RS256', use: 'sig', n, e };
}
