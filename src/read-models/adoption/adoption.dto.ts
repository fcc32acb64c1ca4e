import { type Type } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { BuildNumberField, VersionField } from '#infra/http/dto/version-fields';
import { type Adoption, type BuildAdoption, type ReleaseAdoption } from './adoption';

class NoFields {}

/** Adds the numbers of an adoption to a response. */
function Counted(Parent: Type<object> = NoFields) {
  class CountedResponse extends Parent {
    @IntegerField({
      min: 0,
      example: 6,
      description: 'The testers of the audience: the sum of the seven numbers below.',
    })
    testers: number;

    @IntegerField({ min: 0, example: 4, description: 'Testers whose newest download of the platform is the build.' })
    has_it: number;

    @IntegerField({
      min: 0,
      example: 0,
      description:
        'Testers whose newest download of the platform is a newer build, compared by version and build number as in update checks. They do not lack the build.',
    })
    has_newer: number;

    @IntegerField({
      min: 0,
      example: 0,
      description: 'Testers who downloaded the build, and since another build of the platform that is not newer.',
    })
    downloaded: number;

    @IntegerField({
      min: 0,
      example: 1,
      description: 'Testers who opened one of their links since the promotion or the mail, and did not download.',
    })
    opened: number;

    @IntegerField({
      min: 0,
      example: 1,
      description:
        'Testers to whom a mail about it, a reminder, an invitation to the build or, since the promotion, to its channel was queued.',
    })
    mailed: number;

    @IntegerField({ min: 0, example: 0, description: 'Testers whose address is invalid, so that they get no mails.' })
    bounced: number;

    @IntegerField({ min: 0, example: 0, description: 'The other testers of the audience.' })
    not_mailed: number;
  }
  return CountedResponse;
}

@ApiSchema({ description: 'The channel of a release.' })
export class AdoptionChannelResponse {
  @IdField({ of: 'channel' })
  id: string;

  @TextField({ max: 100, example: 'Beta', description: 'The name of the channel.' })
  name: string;
}

@ApiSchema({
  description:
    'How many testers of a channel have its current build of a platform. Each of them is counted in exactly one step.',
})
export class ReleaseAdoptionResponse extends Counted() {
  @ApiProperty({ description: 'The channel.' })
  channel: AdoptionChannelResponse;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the build.' })
  platform: Platform;

  @IdField({ of: 'release' })
  release_id: string;

  @IdField({ of: 'build' })
  build_id: string;

  @VersionField()
  version: string;

  @BuildNumberField()
  build_number: string | null;

  @TimeField({ example: '2026-11-20T18:05:27.861Z', description: 'When the build was promoted.' })
  released_at: string;

  @BooleanField({ description: 'Whether devices can install the build from its link now.' })
  installable: boolean;

  @IntegerField({
    min: 0,
    example: 3,
    description:
      'Subscribers of the channel who are not in the audience: they chose mails about other platforms only, or all of their downloads are of other platforms.',
  })
  other_platforms: number;

  @TimeField({
    nullable: true,
    example: null,
    description: 'When testers were last reminded of the release. `null` before.',
  })
  reminded_at: string | null;
}

@ApiSchema({ description: 'The adoption of all current releases of a project.' })
export class ProjectAdoptionResponse {
  @ApiProperty({
    type: [ReleaseAdoptionResponse],
    description: 'One for each current release, by the name of its channel, then by platform.',
  })
  items: ReleaseAdoptionResponse[];
}

@ApiSchema({
  description:
    'How many testers have a build, of those whom its current releases concern, who were invited to it or who downloaded it.',
})
export class BuildAdoptionResponse extends Counted() {
  @IdField({ of: 'build' })
  build_id: string;

  @ApiProperty({ type: [ReleaseAdoptionResponse], description: 'The current releases of the build.' })
  releases: ReleaseAdoptionResponse[];
}

const toCounts = ({
  testers,
  has_it,
  has_newer,
  downloaded,
  opened,
  mailed,
  bounced,
  not_mailed,
}: Adoption): Adoption => ({
  testers,
  has_it,
  has_newer,
  downloaded,
  opened,
  mailed,
  bounced,
  not_mailed,
});

export const toReleaseAdoption = (adoption: ReleaseAdoption): ReleaseAdoptionResponse => ({
  channel: { ...adoption.channel },
  platform: adoption.platform,
  release_id: adoption.releaseId,
  build_id: adoption.buildId,
  version: adoption.version,
  build_number: adoption.buildNumber,
  released_at: adoption.releasedAt.toISOString(),
  installable: adoption.installable,
  ...toCounts(adoption),
  other_platforms: adoption.otherPlatforms,
  reminded_at: adoption.remindedAt?.toISOString() ?? null,
});

export const toBuildAdoption = ({ buildId, releases, ...counts }: BuildAdoption): BuildAdoptionResponse => ({
  build_id: buildId,
  ...toCounts(counts),
  releases: releases.map(toReleaseAdoption),
});
