import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type SigningKey, Secrets } from '#platform/crypto/secrets';
import { Answers } from '#platform/http/answers';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { type JwkResponse, JwksResponse } from './dto/jwks.response';

@ApiTags('Login and session')
@Controller('.well-known')
export class JwksController {
  constructor(private readonly secrets: Secrets) {}

  @Get('jwks.json')
  @Access({ public: true })
  @Limit('read')
  @Header('Cache-Control', 'public, max-age=300')
  @Answers('Get the public keys of access JWTs (RFC 7517)', JwksResponse)
  keys(): JwksResponse {
    return { keys: this.secrets.signingKeys.map(toJwk) };
  }
}

function toJwk({ id, publicKey }: SigningKey): JwkResponse {
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'RSA', kid: id, alg: 'RS256', use: 'sig', n, e };
}
