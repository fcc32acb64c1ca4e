import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DEVICE_FAMILIES, type DeviceFamily } from '#kernel/builds/device';
import { EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

@ApiSchema({ description: 'The owner of the credential that made the download URL.' })
export class MintedByResponse {
  @TextField({
    max: 40,
    example: 'invite',
    description: '`invite` (an install link), `developer` or `project_access_token`.',
  })
  kind: string;

  @IdField({ nullable: true, of: 'install link', description: 'Id of the install link, developer or token.' })
  id: string | null;
}

@ApiSchema({ description: 'A download of a build, from its first byte.' })
export class BuildDownloadResponse {
  @IdField({ of: 'download' })
  id: string;

  @IdField({ of: 'build', description: 'The build that was downloaded.' })
  build_id: string;

  @TimeField({ description: 'When the first byte was requested.', example: '2026-11-20T18:09:14.298Z' })
  started_at: string;

  @TimeField({
    nullable: true,
    description:
      'When the last missing byte was sent. `null` when the download is not complete, or when the store sends the bytes.',
    example: '2026-11-20T18:09:31.027Z',
  })
  completed_at: string | null;

  @IntegerField({
    min: 0,
    nullable: true,
    description: 'Sent bytes, including retries. `null` until something is known.',
    example: 24117248,
  })
  served_bytes: number | null;

  @EnumField(DEVICE_FAMILIES, { name: 'DeviceFamily', description: 'The kind of device.' })
  device_family: DeviceFamily;

  @IdField({
    nullable: true,
    description: 'The tester whose install link was used. The id stays when the tester is erased.',
    of: 'tester',
  })
  tester_id: string | null;

  @IdField({
    nullable: true,
    description: 'The channel whose install link was used, or through which the tester was reached.',
    of: 'channel',
  })
  channel_id: string | null;

  @ApiProperty({ description: 'Who made the download URL.' })
  minted_by: MintedByResponse;
}

export class BuildDownloadPage extends PageOf(BuildDownloadResponse) {}
