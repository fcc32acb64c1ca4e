import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Secrets, type SigningKey } from '#infra/crypto/secrets';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { type JwkResponse, JwksResponse } from '../dto/jwks.response';
import { JWKS_DOCS } from './jwks.docs';

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
