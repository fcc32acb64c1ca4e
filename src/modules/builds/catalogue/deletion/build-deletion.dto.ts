import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import {
  BooleanField,
  BooleanQueryField,
  EnumField,
  IdField,
  IdSetField,
  IntegerField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { ProjectQuery } from '#infra/http/dto/scope-query';
import { BuildChannelResponse } from '../dto/build-parts.response';
import {
  BUILD_DELETION_OUTCOMES,
  BUILD_RESTORATION_OUTCOMES,
  type BuildDeletion,
  type BuildDeletionOutcome,
  type BuildRestoration,
  type BuildRestorationOutcome,
} from './build-deletion';
import { type DeletionFilter } from './deletable-builds';

const MAX_BUILDS = 100;

const FreesBytesAtField = (): PropertyDecorator =>
  TimeField({
    nullable: true,
    description:
      'When its file is deleted and its storage is no longer metered. Until then the build can be restored. `null` when it is not in the trash.',
  });

export class DeleteBuildQuery extends ProjectQuery {
  @BooleanQueryField({
    optional: true,
    description: '`true` deletes the build and its file now, also from the trash. It cannot be restored then.',
  })
  permanently?: boolean;
}

@ApiSchema({ description: 'Which builds are deleted: those that meet all conditions. At least one is required.' })
export class DeletionFilterRequest {
  @EnumField(PLATFORMS, { optional: true, name: 'Platform', description: 'Builds of this platform.' })
  platform?: Platform;

  @TextField({ max: 128, optional: true, description: 'Builds of exactly this version.', example: '1.4.0' })
  version?: string;

  @TextField({
    max: 255,
    optional: true,
    description:
      'Builds of this branch, or of the branches that match it as a pattern: `*` stands for any characters but `/`, `**` for any characters, `?` for one.',
    example: 'pr-*',
  })
  branch?: string;

  @IdField({
    optional: true,
    of: 'project access token',
    description: 'Builds that this developer or project access token uploaded.',
  })
  uploaded_by?: string;

  @TimeField({ optional: true, description: 'Builds that were uploaded at this time or later.' })
  from?: string;

  @TimeField({ optional: true, description: 'Builds that were uploaded before this time.' })
  to?: string;
}

const FilterField = ({ optional }: { readonly optional: boolean }): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: DeletionFilterRequest, required: !optional, description: 'The builds of the preview.' }),
    ...(optional ? [ValidateIf((_, value) => value !== undefined)] : []),
    IsDefined(),
    IsObject(),
    ValidateNested(),
    Type(() => DeletionFilterRequest),
  );

@ApiSchema({ description: 'Builds to delete: `ids`, or the `filter` of a preview with its `fingerprint`.' })
export class DeleteBuildsRequest {
  @ApiPropertyOptional()
  @ValidateIf(({ ids, filter }: DeleteBuildsRequest) => ids !== undefined || filter === undefined)
  @IdSetField({ min: 1, max: MAX_BUILDS, of: 'build', description: 'The ids of the builds, each once.' })
  ids?: string[];

  @FilterField({ optional: true })
  filter?: DeletionFilterRequest;

  @TextField({
    max: 1000,
    optional: true,
    example: 'AQZtYWluLTE',
    description:
      'The `fingerprint` of a preview of this filter that is less than an hour old, or of the response of the request before.',
  })
  fingerprint?: string;

  @BooleanField({
    optional: true,
    example: false,
    description:
      '`true` deletes the builds and their files now, with `ids` also from the trash. They cannot be restored then.',
  })
  permanently?: boolean;

  @BooleanField({
    optional: true,
    example: false,
    description:
      'With `ids` and `permanently`: `true` leaves builds that are not in the trash, because they were restored meanwhile. They are `not_found`.',
  })
  only_deleted?: boolean;
}

@ApiSchema({ description: 'Which builds to preview.' })
export class PreviewDeletionRequest {
  @FilterField({ optional: false })
  filter: DeletionFilterRequest;
}

@ApiSchema({ description: 'What was done with one build.' })
export class BuildDeletionResponse {
  @IdField({ of: 'build' })
  id: string;

  @EnumField(BUILD_DELETION_OUTCOMES, { name: 'BuildDeletionOutcome', description: 'What was done.' })
  outcome: BuildDeletionOutcome;

  @ApiProperty({
    type: [BuildChannelResponse],
    description: 'The channels whose current release keeps the build. Empty for other outcomes.',
  })
  channels: BuildChannelResponse[];

  @FreesBytesAtField()
  frees_bytes_at: string | null;
}

@ApiSchema({ description: 'What was done with all builds.' })
export class BuildDeletionsResponse {
  @IntegerField({ min: 0, example: 1, description: 'The number of deleted builds.' })
  deleted: number;

  @IntegerField({
    min: 0,
    example: 0,
    description:
      'The number of builds that meet the filter and are still to be deleted: repeat the request with the `fingerprint` of this response and another idempotency key. 0 with `ids`.',
  })
  remaining: number;

  @TextField({
    max: 1000,
    nullable: true,
    example: 'AQZtYWluLTE',
    description: 'The fingerprint of the remaining builds, for the next request. `null` with `ids`.',
  })
  fingerprint: string | null;

  @FreesBytesAtField()
  frees_bytes_at: string | null;

  @ApiProperty({ type: [BuildDeletionResponse], description: 'One for each id, in the order of the ids.' })
  builds: BuildDeletionResponse[];
}

@ApiSchema({ description: 'Builds to restore.' })
export class RestoreBuildsRequest {
  @IdSetField({ min: 1, max: MAX_BUILDS, of: 'build', description: 'The ids of the builds, each once.' })
  ids: string[];
}

@ApiSchema({ description: 'What was done with one build.' })
export class BuildRestorationResponse {
  @IdField({ of: 'build' })
  id: string;

  @EnumField(BUILD_RESTORATION_OUTCOMES, {
    name: 'BuildRestorationOutcome',
    description: 'What was done. `not_deleted`: the build is not in the trash.',
  })
  outcome: BuildRestorationOutcome;
}

@ApiSchema({ description: 'What was done with all builds.' })
export class BuildRestorationsResponse {
  @IntegerField({ min: 0, example: 1, description: 'The number of restored builds.' })
  restored: number;

  @ApiProperty({ type: [BuildRestorationResponse], description: 'One for each id, in the order of the ids.' })
  builds: BuildRestorationResponse[];
}

/** @param filter as the request has it: absent when it has ids. */
export const toDeletionFilter = (filter: DeletionFilterRequest | undefined): DeletionFilter => ({
  platform: filter?.platform,
  version: filter?.version,
  branch: filter?.branch,
  uploadedBy: filter?.uploaded_by,
  from: filter?.from === undefined ? undefined : new Date(filter.from),
  to: filter?.to === undefined ? undefined : new Date(filter.to),
});

export const toBuildDeletionsResponse = ({
  deletions,
  remaining,
  fingerprint,
}: {
  readonly deletions: readonly BuildDeletion[];
  readonly remaining: number;
  readonly fingerprint: string | null;
}): BuildDeletionsResponse => ({
  deleted: deletions.filter(({ outcome }) => outcome === 'deleted').length,
  remaining,
  fingerprint,
  frees_bytes_at: deletions.find(({ freesBytesAt }) => freesBytesAt)?.freesBytesAt?.toISOString() ?? null,
  builds: deletions.map(({ buildId, outcome, channels, freesBytesAt }) => ({
    id: buildId,
    outcome,
    channels: channels.map(({ id, name, current }) => ({ id, name, current })),
    frees_bytes_at: freesBytesAt?.toISOString() ?? null,
  })),
});

export const toBuildRestorationsResponse = (restorations: readonly BuildRestoration[]): BuildRestorationsResponse => ({
  restored: restorations.filter(({ outcome }) => outcome === 'restored').length,
  builds: restorations.map(({ buildId, outcome }) => ({ id: buildId, outcome })),
});
