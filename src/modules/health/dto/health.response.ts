import { ApiProperty } from '@nestjs/swagger';
import { EnumField, TextField } from '#infra/http/dto/fields';

export class CheckResponse {
  @TextField({ max: 40, example: 'database' })
  name: string;

  @EnumField(['ok', 'failed'])
  status: 'ok' | 'failed';
}

export class HealthResponse {
  @EnumField(['ok', 'unavailable'])
  status: 'ok' | 'unavailable';

  @ApiProperty({ type: [CheckResponse], required: false })
  checks?: CheckResponse[];
}
