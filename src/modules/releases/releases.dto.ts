import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EXAMPLE } from '#infra/http/dto/example';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { ChannelPageQuery, ChannelQuery, OrganizationPageQuery } from '#infra/http/dto/scope-query';
import { BuildNumberField, VersionField } from '#infra/http/dto/version-fields';

@ApiSchema({ description: 'A build to promote.' })
export class CreateReleaseRequest {
  @IdField({ description: 'The build to promote.', of: 'build' })
  build_id: string;

  @TextField({
    max: NOTES_LENGTH,
    lines: true,
    optional: true,
    nullable: true,
    description: "Notes for testers. When absent, testers see the build's own notes.",
    example: 'Please try the new login.',
  })
  notes?: string | null;

  @BooleanField({
    optional: true,
    description: 'Whether the subscribers of the channel are mailed. Default: `true`.',
  })
  notify?: boolean;

  @BooleanField({
    optional: true,
    example: false,
    description:
      'Whether installed apps that check for updates must install the build. Testers who are mailed are not affected. Default: false.',
  })
  mandatory?: boolean;
}

export class ListReleasesQuery extends ChannelPageQuery {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Lists only releases of this platform.' })
  platform?: Platform;
}

export class ListProjectReleasesQuery extends OrganizationPageQuery {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Lists only releases of this platform.' })
  platform?: Platform;
}

export class RecipientsQuery extends ChannelQuery {
  @IdField({ description: 'The build that would be promoted.', of: 'build' })
  build_id: string;
}

@ApiSchema({ description: 'The owner of the credential that promoted the build.' })
export class PromotedByResponse {
  @TextField({ max: 40, example: 'developer', description: '`developer` or `project_access_token`.' })
  kind: string;

  @IdField({ nullable: true, of: 'developer', description: 'Id of the developer or token.' })
  id: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'Ann',
    description:
      'The name of the developer, or the e-mail address of one without a name, or the name of the token. `null` after the account or token was deleted.',
  })
  label: string | null;
}

@ApiSchema({ description: 'A build as releases show it. `GET /builds/{build_id}` has all its fields.' })
export class ReleaseBuildResponse {
  @IdField({ of: 'build' })
  id: string;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform that the build runs on.' })
  platform: Platform;

  @VersionField()
  version: string;

  @BuildNumberField()
  build_number: string | null;

  @TextField({
    max: 255,
    nullable: true,
    example: 'Demo',
    description: 'The name of the app. `null` when the artifact does not contain it.',
  })
  app_name: string | null;

  @TextField({
    max: 255,
    nullable: true,
    example: 'com.example.demo',
    description: 'The bundle id or application id. `null` when the artifact does not contain it.',
  })
  bundle_id: string | null;

  @TextField({
    max: 64,
    nullable: true,
    example: '15.0',
    description: 'The oldest version of the system that the app runs on. `null` when it is unknown.',
  })
  min_os_version: string | null;

  @IntegerField({
    min: 0,
    nullable: true,
    example: null,
    description: 'Android: the lowest API level that the app runs on. `null` on other platforms.',
  })
  min_sdk: number | null;

  @TextField({
    max: NOTES_LENGTH,
    nullable: true,
    example: 'Fixes the login on small screens.',
    description: "The build's own notes. `null` when there are none.",
  })
  notes: string | null;

  @TextField({ max: 255, description: 'The name of the file, as it was uploaded.', example: EXAMPLE.fileName })
  file_name: string;

  @IntegerField({ min: 1, description: 'The size of the file, in bytes.', example: EXAMPLE.fileBytes })
  size_bytes: number;

  @TextField({ max: 64, example: EXAMPLE.sha256, description: 'The SHA-256 of the file, in hexadecimal.' })
  sha256: string;

  @TimeField({ description: 'When the upload was complete.' })
  uploaded_at: string;

  @BooleanField({ description: 'Whether devices can install the build from its link now.' })
  installable: boolean;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.buildLink,
    description:
      "The build's own install link. It always opens this build. `null` for callers who may not download, and when the service cannot decrypt it.",
  })
  install_url: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.icon,
    description:
      'The icon of the app, at an address that gives access to the icon only and needs no credential. Its content never changes. `null` when the artifact contains none.',
  })
  icon_url: string | null;
}

@ApiSchema({ description: 'The number of mails that testers get about a release.' })
export class ReleaseMailsResponse {
  @IntegerField({ min: 0, description: 'Mails that were given to the mail server or wait for it.', example: 34 })
  queued: number;

  @IntegerField({
    min: 0,
    description: 'Mails that follow later, because their testers got several mails within a short time.',
    example: 2,
  })
  waiting: number;

  @IntegerField({
    min: 0,
    description:
      'Mails that the mail server refused for good. `GET /testers?state=bounced` lists the testers whose address is invalid.',
    example: 0,
  })
  failed: number;
}

@ApiSchema({ description: 'A build that was promoted to a channel.' })
export class ReleaseResponse {
  @IdField({ of: 'release' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project' })
  project_id: string;

  @IdField({ of: 'channel', description: 'The channel that the build was promoted to.' })
  channel_id: string;

  @IdField({ of: 'build', description: 'The build that was promoted.' })
  build_id: string;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the build.' })
  platform: Platform;

  @IntegerField({ min: 1, description: '1 for the first release of the channel. No number is used twice.', example: 7 })
  sequence: number;

  @BooleanField({ description: 'Whether the release is the newest of its platform in the channel.' })
  current: boolean;

  @TextField({
    max: NOTES_LENGTH,
    nullable: true,
    example: 'Please try the new login.',
    description: "The notes of the promotion. `null` when it had none: testers then see the build's own notes.",
  })
  notes: string | null;

  @BooleanField({ description: 'Whether subscribers are mailed about it, as the promotion said.' })
  notify: boolean;
  @BooleanField({
    example: false,
    description: 'Whether installed apps that check for updates must install the build.',
  })
  mandatory: boolean;

  @TimeField({ example: '2026-11-20T18:05:27.861Z', description: 'When the build was promoted.' })
  promoted_at: string;

  @ApiProperty({ description: 'Who promoted it.' })
  promoted_by: PromotedByResponse;

  @ApiProperty({
    nullable: true,
    type: ReleaseMailsResponse,
    description:
      'The mails to testers about the release. `null` before the first one, and 30 days after another release replaced it.',
  })
  mails: ReleaseMailsResponse | null;

  @ApiProperty({ description: 'The build that was promoted.' })
  build: ReleaseBuildResponse;
}

@ApiSchema({ description: 'The state of the channel after a promotion was undone.' })
export class UndoneReleaseResponse {
  @ApiProperty({
    nullable: true,
    type: ReleaseResponse,
    description: 'The release of the platform that is current again. `null` when the channel has none.',
  })
  current: ReleaseResponse | null;
}

export class ReleasePage extends PageOf(ReleaseResponse) {}

@ApiSchema({ description: 'The testers whom a promotion would reach.' })
export class RecipientsResponse {
  @IntegerField({ min: 0, description: 'The number of testers that are subscribed to the channel.', example: 36 })
  subscribers: number;

  @IntegerField({
    min: 0,
    description:
      'The number of subscribers whom a promotion mails. The others chose other platforms, got as many mails as a tester gets before they open a link, or have an invalid address.',
    example: 34,
  })
  recipients: number;
}
