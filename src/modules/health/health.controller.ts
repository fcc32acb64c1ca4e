import { Controller, Get, Res } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { EnumField, TextField } from '#infra/http/dto/fields';
import { envelopeOf } from '#infra/http/errors/error-presenter';
import { Ctx } from '#infra/http/request/context';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { HEALTH_DOCS } from './health.docs';
import { HealthService } from './health.service';

@ApiSchema({ description: 'The result of one check.' })
export class CheckResponse {
  @TextField({
    max: 40,
    example: 'database',
    description:
      'The check: `process` (failed during a graceful stop), `database`, `migrations`, `clock`, `storage`, `queue` or `storage_room`.',
  })
  name: string;

  @EnumField(['ok', 'low', 'failed'], {
    description:
      'The result. `low`, of `storage_room`: the local store has less free space than configured, so uploads are `503`. Everything else works, so it does not make the process unavailable.',
  })
  status: 'ok' | 'low' | 'failed';
}

@ApiSchema({ description: 'The state of a process.' })
export class HealthResponse {
  @EnumField(['ok', 'unavailable'], { description: '`ok`: it can serve requests.' })
  status: 'ok' | 'unavailable';

  @ApiProperty({
    type: [CheckResponse],
    required: false,
    description: 'The checks of `GET /ready`.',
    example: [
      { name: 'process', status: 'ok' },
      { name: 'database', status: 'ok' },
      { name: 'migrations', status: 'ok' },
      { name: 'storage', status: 'ok' },
      { name: 'queue', status: 'ok' },
      { name: 'storage_room', status: 'ok' },
    ],
  })
  checks?: CheckResponse[];
}

@ApiTags('Health')
@Describe(HEALTH_DOCS)
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Access({ public: true })
  @Limit('health')
  @ApiResult('Check that the process responds; checks no dependency', HealthResponse)
  live(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @Access({ public: true })
  @Limit('health')
  @Errors('storage_backend_unavailable')
  @ApiResult(
    'Check that the process can serve requests; a 503 has these keys in addition to those of an error',
    HealthResponse,
  )
  async ready(@Ctx() ctx: RequestContext, @Res({ passthrough: true }) response: Response): Promise<HealthResponse> {
    const checks = [...(await this.health.checks())];
    if (checks.every(({ status }) => status !== 'failed')) return { status: 'ok', checks };
    const error = new AppError('storage_backend_unavailable', { message: 'Not ready. See checks.' });
    response.status(503).setHeader('Retry-After', String(error.retryAfterSeconds));
    return { ...envelopeOf(error, ctx.requestId), status: 'unavailable', checks };
  }
}
