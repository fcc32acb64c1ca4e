import { Transform } from 'class-transformer';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EnumField, IdField, TextField } from '#platform/http/fields';

/** A form cannot leave a value out as JSON can: an empty part counts as absent. */
const EmptyIsAbsent = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

export const NOTES_LENGTH = 5000;

/** The text parts beside `file`. What is left out, the artifact says. */
export class CreateBuildRequest {
  @EmptyIsAbsent()
  @TextField({ max: 128, optional: true, description: 'Required for files that carry no metadata.', example: '1.4.0' })
  version?: string;

  @EmptyIsAbsent()
  @TextField({ max: 128, optional: true, example: '42' })
  build_number?: string;

  @EmptyIsAbsent()
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Required for files that carry no metadata.' })
  platform?: Platform;

  @EmptyIsAbsent()
  @TextField({ max: NOTES_LENGTH, optional: true, example: 'Fixes the login on small screens.' })
  notes?: string;

  @EmptyIsAbsent()
  @TextField({
    max: 64,
    optional: true,
    pattern: /^[0-9a-fA-F]{64}$/,
    description: 'SHA-256 of the file: checked.',
    example: 'a'.repeat(64),
  })
  sha256?: string;

  @EmptyIsAbsent()
  @TextField({ max: 255, optional: true, example: 'main' })
  branch?: string;

  @EmptyIsAbsent()
  @TextField({ max: 64, optional: true, example: '9fceb02' })
  commit?: string;

  @EmptyIsAbsent()
  @TextField({ max: 2000, optional: true, pattern: /^https?:\/\/\S+$/, example: 'https://ci.example.com/jobs/7' })
  ci_url?: string;

  @EmptyIsAbsent()
  @IdField({ optional: true, description: 'Promotes it to this channel at once; needs MANAGE_RELEASES.' })
  channel_id?: string;
}

export class UpdateBuildRequest {
  @TextField({ max: NOTES_LENGTH, optional: true, nullable: true, example: 'Fixes the login on small screens.' })
  notes?: string | null;
}
