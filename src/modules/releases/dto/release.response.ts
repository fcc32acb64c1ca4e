import { ApiProperty } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

export class PromotedByResponse {
  @TextField({ max: 40, example: 'developer', description: '`developer` or `project_access_token`.' })
  kind: string;

  @IdField({ nullable: true })
  id: string | null;
}

/** A build as releases show it. `GET /builds/{build_id}` has all its fields. */
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

  @BooleanField({ description: 'Whether devices can install the build from its link now.' })
  installable: boolean;

  @TextField({
    max: 2000,
    nullable: true,
    description: "The build's own link. Null for callers who may not download.",
    example: 'https://install.example.com/install/kq0YyX',
  })
  install_url: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    description: 'Opens the icon and nothing else, without a credential. Its content never changes.',
    example: 'https://agate.example.com/icons/Aazs3q',
  })
  icon_url: string | null;
}

export class ReleaseResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @IdField()
  project_id: string;

  @IdField()
  channel_id: string;

  @IdField()
  build_id: string;

  @EnumField(PLATFORMS, { name: 'Platform' })
  platform: Platform;

  @IntegerField({ min: 1, description: '1 for the first release of the channel. No number is used twice.', example: 7 })
  sequence: number;

  @BooleanField({ description: 'Whether the release is the newest of its platform in the channel.' })
  current: boolean;

  @TextField({ max: NOTES_LENGTH, nullable: true, example: 'Please try the new login.' })
  notes: string | null;

  @TimeField()
  promoted_at: string;

  @ApiProperty()
  promoted_by: PromotedByResponse;

  @ApiProperty()
  build: ReleaseBuildResponse;
}

export class ReleasePage extends PageOf(ReleaseResponse) {}
