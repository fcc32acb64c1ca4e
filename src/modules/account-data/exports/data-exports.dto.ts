import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PasswordField } from '#infra/http/dto/password-field';
import {
  DATA_EXPORT_REASONS,
  DATA_EXPORT_STATES,
  type DataExport,
  type DataExportReason,
  type DataExportState,
} from './data-export';

@ApiSchema({ description: 'Confirms that the owner of the account requests the export.' })
export class RequestExportRequest {
  @PasswordField()
  password: string;
}

@ApiSchema({ description: 'An export that was requested.' })
export class DataExportResponse {
  @IdField({ of: 'data export' })
  id: string;

  @EnumField(DATA_EXPORT_STATES, {
    example: 'ready',
    description:
      '`requested`: it waits for its turn. `running`: the archive is being made. `ready`: it can be downloaded from `url`. `failed`: see ' +
      '`reason`.',
  })
  state: DataExportState;

  @EnumField(DATA_EXPORT_REASONS, {
    nullable: true,
    example: null,
    description:
      '`too_large`: the archive would exceed 1 GB; ask the operator. `failed`: request it again. `null` in other states.',
  })
  reason: DataExportReason | null;

  @IntegerField({
    min: 1,
    nullable: true,
    example: 48_213,
    description: 'The size of the archive. `null` until it is ready.',
  })
  size_bytes: number | null;

  @TextField({
    max: 1000,
    nullable: true,
    example: 'https://agate.example.com/api/v1/exports/AQRtYWlu',
    description: 'Downloads the archive by GET without another credential. `null` until it is ready.',
  })
  url: string | null;

  @TimeField({ description: 'When it was requested.', example: '2026-11-20T18:01:12.400Z' })
  created_at: string;

  @TimeField({
    nullable: true,
    description: 'When the link expires and the archive is deleted. `null` until it is ready.',
    example: '2026-11-21T18:01:20.112Z',
  })
  expires_at: string | null;
}

@ApiSchema({ description: 'The newest export that you requested.' })
export class LatestExportResponse {
  @ApiProperty({
    type: DataExportResponse,
    nullable: true,
    description: '`null` when you requested none, or when it has expired.',
  })
  export: DataExportResponse | null;
}

export const toDataExportResponse = (found: DataExport, url: string | null): DataExportResponse => ({
  id: found.id,
  state: found.state,
  reason: found.reason,
  size_bytes: found.archive?.sizeBytes ?? null,
  url,
  created_at: found.createdAt.toISOString(),
  expires_at: found.archive ? found.expiresAt.toISOString() : null,
});
