import { ApiProperty } from '@nestjs/swagger';
import { DEVICE_FAMILIES, type DeviceFamily } from '#kernel/builds/device';
import { EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

/** The owner of the credential that made the download URL. */
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

  @TimeField({ description: 'When the first byte was requested.' })
  started_at: string;

  @TimeField({
    nullable: true,
    description:
      'When the last missing byte was sent. Null when the download is not complete, or when the store sends the bytes.',
  })
  completed_at: string | null;

  @IntegerField({
    min: 0,
    nullable: true,
    description: 'Sent bytes, including retries. Null until something is known.',
    example: 24117248,
  })
  served_bytes: number | null;

  @EnumField(DEVICE_FAMILIES, { name: 'DeviceFamily' })
  device_family: DeviceFamily;

  @IdField({
    nullable: true,
    description: 'The tester whose install link was used. The id stays when the tester is erased.',
  })
  tester_id: string | null;

  @IdField({
    nullable: true,
    description: 'The channel whose install link was used, or through which the tester was reached.',
  })
  channel_id: string | null;

  @ApiProperty()
  minted_by: MintedByResponse;
}

export class BuildDownloadPage extends PageOf(BuildDownloadResponse) {}
