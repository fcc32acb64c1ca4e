import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, TextField } from '#infra/http/dto/fields';

@ApiSchema({ description: 'The result of one check.' })
export class CheckResponse {
  @TextField({
    max: 40,
    example: 'database',
    description:
      'What was checked: `process` (failed during a graceful stop), `database`, `migrations`, `storage` or `queue`.',
  })
  name: string;

  @EnumField(['ok', 'failed'], { description: 'The result.' })
  status: 'ok' | 'failed';
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
    ],
  })
  checks?: CheckResponse[];
}
