import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';

/** What a list of releases shows of a build; `GET /builds/{build_id}` has the rest. */
export class ReleaseBuildResponse {
  @IdField()
  id: string;

  @EnumField(PLATFORMS, { name: 'Platform' })
  platform: Platform;

  @TextField({ max: 128, example: '1.4.0' })
  version: string;

  @TextField({ max: 128, nullable: true, example: '42' })
  build_number: string | null;

  @TextField({ max: 255, nullable: true, example: 'Demo' })
  app_name: string | null;

  @TextField({ max: 255, nullable: true, example: 'com.example.demo' })
  bundle_id: string | null;

  @TextField({ max: NOTES_LENGTH, nullable: true, example: 'Fixes the login on small screens.' })
  notes: string | null;

  @TextField({ max: 255, example: 'Demo.ipa' })
  file_name: string;

  @IntegerField({ min: 1, example: 24_117_248 })
  size_bytes: number;

  @TextField({ max: 64, example: 'a'.repeat(64) })
  sha256: string;

  @TimeField()
  uploaded_at: string;

  @BooleanField({ description: 'Whether a device can install it from its link at this moment.' })
  installable: boolean;

  @TextField({ max: 2000, description: "The build's own.", example: 'https://install.example.com/install/kq0YyX' })
  install_url: string;

  @TextField({ max: 2000, nullable: true, example: 'https://install.example.com/install/kq0YyX/icon.png' })
  icon_url: string | null;
}
