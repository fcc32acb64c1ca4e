import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IntegerField, TextField } from '#infra/http/dto/fields';
import { CHECK_NAMES, CHECK_STATUSES, type CheckResult } from '../byosa/diagnosis';

export class ByosaCheckResponse {
  @EnumField(CHECK_NAMES, { name: 'ByosaCheckName', example: 'authenticate' })
  name: CheckResult['name'];

  @EnumField(CHECK_STATUSES, { name: 'ByosaCheckStatus', example: 'passed' })
  status: CheckResult['status'];

  @TextField({ max: 500, example: 'Good.', description: 'Of a failure: what to do about it.' })
  message: string;

  @IntegerField({ min: 0, example: 100, description: 'Rounded up to tenths of a second.' })
  duration_ms: number;
}

export class ByosaDiagnosisResponse {
  @BooleanField()
  ok: boolean;

  @ApiProperty({ type: [ByosaCheckResponse] })
  checks: ByosaCheckResponse[];
}
