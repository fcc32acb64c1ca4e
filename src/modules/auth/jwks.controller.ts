import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Secrets } from '#platform/crypto/secrets';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';

@ApiTags('Login and session')
@Controller('.well-known')
export class JwksController {
  constructor(private readonly secrets: Secrets) {}

  @Get('jwks.json')
  @Access({ public: true })
  @Limit('read')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOkResponse({
    description: 'The public keys of access JWTs (RFC 7517).',
    schema: { type: 'object', properties: { keys: { type: 'array', items: { type: 'object' } } }, required: ['keys'] },
  })
  keys(): { keys: object[] } {
    return {
      keys: this.secrets.signingKeys.map(({ id, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid: id,
        alg: 'RS256',
        use: 'sig',
      })),
    };
  }
}
