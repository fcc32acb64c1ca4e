import { ApiProperty } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BlankIsAbsent, EnumField, IdField, TextField } from '#infra/http/dto/fields';

/** The text parts beside `file`. An omitted part is read from the artifact, if the artifact contains it. */
export class CreateBuildRequest {
  @BlankIsAbsent()
  @TextField({ max: 128, optional: true, description: 'Required for files that carry no metadata.', example: '1.4.0' })
  version?: string;

  @BlankIsAbsent()
  @TextField({ max: 128, optional: true, example: '42' })
  build_number?: string;

  @BlankIsAbsent()
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Required for files that carry no metadata.' })
  platform?: Platform;

  @BlankIsAbsent()
  @TextField({ max: NOTES_LENGTH, optional: true, example: 'Fixes the login on small screens.' })
  notes?: string;

  @BlankIsAbsent()
  @TextField({
    max: 64,
    optional: true,
    pattern: /^[0-9a-fA-F]{64}$/,
    description: 'SHA-256 of the file: checked.',
    example: 'a'.repeat(64),
  })
  sha256?: string;

  @BlankIsAbsent()
  @TextField({ max: 255, optional: true, example: 'main' })
  branch?: string;

  @BlankIsAbsent()
  @TextField({ max: 64, optional: true, example: '9fceb02' })
  commit?: string;

  @BlankIsAbsent()
  @TextField({ max: 2000, optional: true, pattern: /^https?:\/\/\S+$/, example: 'https://ci.example.com/jobs/7' })
  ci_url?: string;

  @BlankIsAbsent()
  @IdField({ optional: true, description: 'Promotes it to this channel at once; needs MANAGE_RELEASES.' })
  channel_id?: string;
}

/** The multipart body as the OpenAPI document shows it. The parts may come in any order. */
export class UploadBuildForm extends CreateBuildRequest {
  @ApiProperty({ type: 'string', format: 'binary', description: 'The artifact, with its file name.' })
  file: unknown;
}
