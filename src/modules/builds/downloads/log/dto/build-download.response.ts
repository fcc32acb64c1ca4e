import { ApiProperty } from '@nestjs/swagger';
import { DEVICE_FAMILIES, type DeviceFamily } from '#kernel/builds/device';
import { EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

/** Whose credential the download URL was made with. */
export class MintedByResponse {
  @TextField({
    max: 40,
    example: 'invite',
    description: '`invite` (an install link), `developer` or `project_access_token`.',
  })
  kind: string;

  @IdField({ nullable: true })
  id: string | null;
}

export class BuildDownloadResponse {
  @IdField()
  id: string;

  @IdField()
  build_id: string;

  @TimeField({ description: 'When the first byte was asked for.' })
  started_at: string;

  @TimeField({
    nullable: true,
    description:
      'When the last missing byte had gone out. Null: not complete, or not known, because the store sends the bytes itself.',
  })
  completed_at: string | null;

  @IntegerField({
    min: 0,
    nullable: true,
    description: 'With retries; null while nothing is known.',
    example: 24117248,
  })
  served_bytes: number | null;

  @EnumField(DEVICE_FAMILIES, { name: 'DeviceFamily' })
  device_family: DeviceFamily;

  @IdField({ nullable: true, description: 'Whose install link it was. It stays when the tester is erased.' })
  tester_id: string | null;

  @IdField({ nullable: true, description: 'The channel whose link it was, or through which the tester came.' })
  channel_id: string | null;

  @ApiProperty()
  minted_by: MintedByResponse;
}

export class BuildDownloadPage extends PageOf(BuildDownloadResponse) {}
