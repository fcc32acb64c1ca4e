import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EXAMPLE } from '#infra/http/dto/example';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { ProjectPageQuery } from '#infra/http/dto/scope-query';
import { BuildNumberField, VersionField } from '#infra/http/dto/version-fields';

@ApiSchema({ description: 'A new channel.' })
export class CreateChannelRequest {
  @TextField({
    max: 100,
    example: 'Beta',
    description: 'The name of the channel. Unique in the project. Testers see it on install pages and in mails.',
  })
  name: string;
}

@ApiSchema({ description: 'Changes of a channel. Absent fields stay as they are.' })
export class UpdateChannelRequest {
  @TextField({
    max: 100,
    optional: true,
    example: 'Beta',
    description: 'The name of the channel. Unique in the project. Testers see it on install pages and in mails.',
  })
  name?: string;
}

export class ListChannelsQuery extends ProjectPageQuery {
  @TextField({
    max: 100,
    optional: true,
    example: 'Beta',
    description: 'Lists only the channel with exactly this name. Names are unique in a project.',
  })
  name?: string;
}

@ApiSchema({ description: 'The build that testers of a channel get on a platform.' })
export class CurrentBuildResponse {
  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform.' })
  platform: Platform;

  @IdField({ of: 'release', description: 'The release that is current.' })
  release_id: string;

  @IntegerField({ min: 1, description: 'The number of the release in the channel.', example: 7 })
  sequence: number;

  @TimeField({ example: '2026-11-20T18:05:27.861Z', description: 'When the build was promoted.' })
  promoted_at: string;

  @IdField({ of: 'build', description: 'The build that was promoted.' })
  build_id: string;

  @VersionField()
  version: string;

  @BuildNumberField()
  build_number: string | null;

  @IntegerField({ min: 1, description: 'The size of the file, in bytes.', example: EXAMPLE.fileBytes })
  size_bytes: number;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.icon,
    description: 'The icon of the app. `null` when the artifact contains none.',
  })
  icon_url: string | null;

  @BooleanField({ description: 'Whether devices can install the build from its link now.' })
  installable: boolean;
}

@ApiSchema({ description: 'A named release line of a project. Its install link always opens its current releases.' })
export class ChannelResponse {
  @IdField({ of: 'channel' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project', description: 'The project that the channel belongs to.' })
  project_id: string;

  @TextField({ max: 100, example: 'Beta', description: 'The name of the channel. Unique in the project.' })
  name: string;

  @TextField({
    max: 2000,
    nullable: true,
    description:
      "Opens the channel's current releases. Stays the same until it is rotated. `null` for callers who may not download, and when the service cannot decrypt it: rotate it then.",
    example: EXAMPLE.channelLink,
  })
  install_url: string | null;

  @TextField({
    max: 2010,
    nullable: true,
    example: `${EXAMPLE.channelLink}/qr.svg`,
    description:
      'The install link as a QR code, an SVG image. It needs no other credential. `null` where `install_url` is `null`, and for a link with rules: make the code from `install_url` then.',
  })
  qr_url: string | null;

  @TimeField({ example: '2026-11-03T10:05:03.482Z', description: 'When the channel was created.' })
  created_at: string;

  @ApiProperty({
    type: [CurrentBuildResponse],
    description: 'The builds that testers get now: at most one per platform. Empty when nothing is promoted.',
  })
  current: CurrentBuildResponse[];

  @IntegerField({ min: 0, description: 'The number of testers that are subscribed to the channel.', example: 34 })
  subscribers: number;
}

export class ChannelPage extends PageOf(ChannelResponse) {}
