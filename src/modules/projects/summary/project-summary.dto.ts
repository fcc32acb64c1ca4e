import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { ANNOUNCED_DAYS, SIGNING_PARTS, type SigningPart } from '#kernel/builds/signing-end';
import { EXAMPLE } from '#infra/http/dto/example';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { BuildNumberField, VersionField } from '#infra/http/dto/version-fields';

const SigningExpiryField = (): PropertyDecorator =>
  TimeField({
    nullable: true,
    example: '2027-03-01T12:00:00.000Z',
    description:
      'iOS: when the provisioning profile or the signing certificate expires, whichever is first. Devices stop launching the app then. `null` when that is not known, and for other platforms.',
  });

@ApiSchema({ description: 'A build as summaries of projects show it. `GET /builds/{build_id}` has all its fields.' })
export class ProjectBuildResponse {
  @IdField({ of: 'build' })
  id: string;

  @VersionField()
  version: string;

  @BuildNumberField()
  build_number: string | null;

  @IntegerField({ min: 1, description: 'The size of the file, in bytes.', example: EXAMPLE.fileBytes })
  size_bytes: number;

  @TimeField({ description: 'When the upload was complete.' })
  uploaded_at: string;

  @BooleanField({ description: 'Whether devices can install the build from its link now.' })
  installable: boolean;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.buildLink,
    description:
      'The install link of the build. `null` for callers who may not download, and when the service cannot decrypt it.',
  })
  install_url: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.icon,
    description: 'The icon of the app. `null` when the artifact contains none.',
  })
  icon_url: string | null;

  @SigningExpiryField()
  signing_expires_at: string | null;
}

@ApiSchema({ description: 'A channel of a project.' })
export class ChannelOfProjectResponse {
  @IdField({ of: 'channel' })
  id: string;

  @TextField({ max: 100, example: 'Beta', description: 'The name of the channel.' })
  name: string;
}

@ApiSchema({ description: 'A build that is current in a channel: its testers get it.' })
export class CurrentBuildOfProjectResponse {
  @IdField({ of: 'channel' })
  channel_id: string;

  @TextField({ max: 100, example: 'Beta', description: 'The name of the channel.' })
  channel_name: string;

  @TimeField({ description: 'When the build was promoted.' })
  promoted_at: string;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the build.' })
  platform: Platform;

  @IdField({ of: 'build' })
  build_id: string;

  @VersionField()
  version: string;

  @BuildNumberField()
  build_number: string | null;

  @BooleanField({ description: 'Whether devices can install the build from its link now.' })
  installable: boolean;

  @SigningExpiryField()
  signing_expires_at: string | null;
}

@ApiSchema({
  description: 'A build that testers can get, and that devices stop launching soon, or have stopped launching.',
})
export class SigningEndOfProjectResponse {
  @IdField({ of: 'build' })
  build_id: string;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the build.' })
  platform: Platform;

  @VersionField()
  version: string;

  @BuildNumberField()
  build_number: string | null;

  @EnumField(SIGNING_PARTS, {
    name: 'SigningPart',
    description: 'What expires first: the provisioning profile or the signing certificate.',
  })
  what: SigningPart;

  @TimeField({ example: '2027-03-01T12:00:00.000Z', description: 'When it expires.' })
  expires_at: string;

  @IntegerField({ min: 0, example: 15, description: 'The days that are left, rounded up. 0 when it has expired.' })
  days_left: number;
}

@ApiSchema({ description: 'The newest build of a project for a platform.' })
export class LatestBuildResponse {
  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform.' })
  platform: Platform;

  @ApiProperty({ description: 'The latest uploaded build, promoted or not.' })
  build: ProjectBuildResponse;
}

@ApiSchema({ description: 'A summary of a project.' })
export class ProjectCountsResponse {
  @IntegerField({ min: 0, example: 210, description: 'Builds.' })
  builds: number;

  @IntegerField({ min: 0, example: 34, description: 'Testers.' })
  testers: number;

  @IntegerField({ min: 0, example: 2, description: 'Channels.' })
  channels: number;

  @IntegerField({ min: 0, example: 1, description: 'Resumable uploads that are neither complete nor expired.' })
  open_uploads: number;
}

@ApiSchema({ description: 'The state of a project.' })
export class ProjectSummaryResponse {
  @EnumField(PROJECT_ROLES, {
    nullable: true,
    example: 'MANAGE_PROJECT',
    name: 'ProjectRole',
    description: 'The role of the caller in the project, own or implied by a role in the organization.',
  })
  my_role: ProjectRole | null;

  @IdField({ nullable: true, of: 'build', description: 'The newest build with an icon. `null` when none has one.' })
  icon_build_id: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.icon,
    description: 'The icon of the newest build with one. `null` when none has one.',
  })
  icon_url: string | null;

  @ApiProperty({ type: [LatestBuildResponse], description: 'The newest build of each platform that has builds.' })
  latest: LatestBuildResponse[];

  @ApiProperty({ type: [ChannelOfProjectResponse], description: 'All channels of the project, by name.' })
  channels: ChannelOfProjectResponse[];

  @ApiProperty({
    type: [CurrentBuildOfProjectResponse],
    description: 'The builds that are current in the channels, by the names of the channels.',
  })
  current: CurrentBuildOfProjectResponse[];

  @ApiProperty({
    type: [SigningEndOfProjectResponse],
    description: `The builds of \`latest\` and \`current\` whose provisioning profile or signing certificate has expired or expires within ${ANNOUNCED_DAYS[0]} days, the first to expire first. A latest build that is current in no channel is one of them while it has a link of the last 90 days.`,
  })
  signing_ends: SigningEndOfProjectResponse[];

  @ApiProperty({ description: 'The summary of the project.' })
  counts: ProjectCountsResponse;

  @ApiProperty({
    type: [Number],
    description: 'The downloads of the last 14 days in UTC, the oldest first. The last number is of today.',
    example: [0, 0, 3, 12, 8, 2, 0, 0, 1, 5, 9, 4, 2, 1],
  })
  downloads_14d: number[];

  @TimeField({
    description: 'When a build was uploaded, promoted or downloaded last. Otherwise when the project was created.',
    example: '2026-11-20T18:09:14.298Z',
  })
  last_activity_at: string;
}
