import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CONTENT_KINDS, type ContentKind } from '#infra/artifact-inspection/inspected-artifact';
import { EXAMPLE } from '#infra/http/dto/example';
import { EnumField, IdField, IntegerField, TextField } from '#infra/http/dto/fields';
import { ProjectQuery } from '#infra/http/dto/scope-query';
import { CommitResponse, toCommitResponses } from '../commits/commits.dto';
import { WarningResponse } from '../dto/build-parts.response';
import { type BuildDiff, type Change, type ListChange } from './build-diff';

export class BuildDiffQuery extends ProjectQuery {
  @IdField({ of: 'build', description: 'The build to compare with, usually an earlier one.' })
  against: string;
}

export class BuildComparisonQuery extends ProjectQuery {
  @IdField({ of: 'build', description: 'The build to compare with, usually an earlier one.' })
  with: string;
}

@ApiSchema({ description: 'A text that differs.' })
export class TextChangeResponse implements Change<string> {
  @TextField({ max: 1000, nullable: true, example: '1.3.0', description: 'Before. `null` when there was none.' })
  from: string | null;

  @TextField({ max: 1000, nullable: true, example: '1.4.0', description: 'Now. `null` when there is none.' })
  to: string | null;
}

@ApiSchema({ description: 'A number that differs.' })
export class NumberChangeResponse implements Change<number> {
  @IntegerField({ min: 0, nullable: true, example: 23_068_672, description: 'Before. `null` when there was none.' })
  from: number | null;

  @IntegerField({ min: 0, nullable: true, example: EXAMPLE.fileBytes, description: 'Now. `null` when there is none.' })
  to: number | null;
}

@ApiSchema({ description: 'Names that only one of the builds has.' })
export class NamesChangeResponse {
  @ApiProperty({ type: [String], example: ['NSCameraUsageDescription'], description: 'New names.' })
  added: string[];

  @ApiProperty({ type: [String], example: [], description: 'Removed names.' })
  removed: string[];
}

@ApiSchema({ description: 'Warnings that only one of the builds has, by their code.' })
export class WarningsChangeResponse {
  @ApiProperty({ type: [WarningResponse], description: 'New warnings.' })
  added: WarningResponse[];

  @ApiProperty({ type: [WarningResponse], description: 'Warnings that are gone.' })
  removed: WarningResponse[];
}

@ApiSchema({ description: 'The size of all files of a kind.' })
export class KindChangeResponse {
  @EnumField(CONTENT_KINDS, {
    example: 'native',
    description:
      'The kind of the files. `code`: dex files, or the executable of an iOS app. `native`: native libraries of an Android app. New ones may be added.',
  })
  kind: ContentKind;

  @IntegerField({
    min: 0,
    nullable: true,
    example: 8_192_000,
    description: 'Bytes before. `null` when there were none.',
  })
  from: number | null;

  @IntegerField({ min: 0, nullable: true, example: 11_300_000, description: 'Bytes now. `null` when there are none.' })
  to: number | null;
}

@ApiSchema({ description: 'The size of a file.' })
export class FileChangeResponse {
  @TextField({
    max: 150,
    example: 'lib/arm64-v8a/libapp.so',
    description: 'The path in the artifact, in an .ipa without the folder of the app. Of a long path, its end.',
  })
  path: string;

  @IntegerField({ min: 0, nullable: true, example: 4_096_000, description: 'Bytes before. `null` for a new file.' })
  from: number | null;

  @IntegerField({ min: 0, nullable: true, example: 5_650_000, description: 'Bytes now. `null` for a removed file.' })
  to: number | null;
}

@ApiSchema({ description: 'What grew and shrank, in bytes of the artifact, as it is downloaded.' })
export class ContentsChangeResponse {
  @ApiProperty({ type: [KindChangeResponse], description: 'The kinds of files whose sizes differ.' })
  kinds: KindChangeResponse[];

  @ApiProperty({
    type: [FileChangeResponse],
    description:
      'The files whose sizes differ, the largest differences first, at most 50. Of large apps, the 300 largest files are compared.',
  })
  files: FileChangeResponse[];

  @IntegerField({ min: 0, example: 0, description: 'The number of further files whose sizes differ.' })
  further_files: number;
}

@ApiSchema({
  description: 'The commits that a build contains and an earlier one of its branch does not, as their uploads said.',
})
export class CommitsChangeResponse {
  @ApiProperty({ type: [CommitResponse], description: 'The commits, newest first, at most 500.' })
  added: CommitResponse[];

  @IntegerField({ min: 0, example: 0, description: 'The number of further commits.' })
  further_commits: number;

  @ApiProperty({
    type: [String],
    example: [],
    description:
      'The ids of builds before which commits are unknown: their uploads named none, or none that follow on an earlier build. Empty when the list is complete.',
  })
  missing: string[];
}

const TextChange = (what: string): PropertyDecorator =>
  ApiProperty({ type: TextChangeResponse, nullable: true, description: `${what} \`null\` when it is the same.` });
const NamesChange = (what: string): PropertyDecorator =>
  ApiProperty({
    type: NamesChangeResponse,
    nullable: true,
    description: `${what} \`null\` when they are the same, or unknown for one of the builds.`,
  });
const NumberChange = (what: string): PropertyDecorator =>
  ApiProperty({ type: NumberChangeResponse, nullable: true, description: `${what} \`null\` when it is the same.` });

@ApiSchema({ description: 'What differs between two builds. A field is `null` when both have the same value.' })
export class BuildDiffResponse {
  @IdField({ of: 'build' })
  build_id: string;

  @IdField({ of: 'build', description: 'The build that it was compared with.' })
  against: string;

  @TextChange('The platform.')
  platform: TextChangeResponse | null;

  @TextChange('The name of the app.')
  name: TextChangeResponse | null;

  @TextChange('The bundle id or application id.')
  bundle_id: TextChangeResponse | null;

  @TextChange('The version.')
  version: TextChangeResponse | null;

  @TextChange('The build number.')
  build_number: TextChangeResponse | null;

  @NumberChange('The size of the artifact in bytes.')
  size_bytes: NumberChangeResponse | null;

  @TextChange('The oldest version of the system that the app runs on.')
  min_os_version: TextChangeResponse | null;

  @NumberChange('Android: the lowest API level that the app runs on.')
  min_sdk: NumberChangeResponse | null;

  @NumberChange('Android: the API level that the app was made for.')
  target_sdk: NumberChangeResponse | null;

  @TextChange('iOS: the kind of signing.')
  signing_kind: TextChangeResponse | null;

  @TextChange('iOS: the name of the provisioning profile.')
  profile_name: TextChangeResponse | null;

  @TextChange('iOS: the id of the Apple developer team.')
  team_id: TextChangeResponse | null;

  @TextChange('Android: the SHA-256 of the signing certificate. With another certificate the app cannot be updated.')
  certificate_sha256: TextChangeResponse | null;

  @ApiProperty({
    type: NamesChangeResponse,
    nullable: true,
    description: 'Permissions. `null` when they are the same, or unknown for one of the builds.',
  })
  permissions: NamesChangeResponse | null;

  @ApiProperty({
    type: NamesChangeResponse,
    nullable: true,
    description:
      'iOS: keys of entitlements. A key with other values is in both lists. `null` when they are the same, or unknown for one of the builds.',
  })
  entitlements: NamesChangeResponse | null;

  @ApiProperty({
    type: WarningsChangeResponse,
    nullable: true,
    description: 'Warnings. `null` when they are the same.',
  })
  warnings: WarningsChangeResponse | null;

  @ApiProperty({
    type: NamesChangeResponse,
    nullable: true,
    description: 'Android: the ABIs of the native code. `null` when they are the same.',
  })
  abis: NamesChangeResponse | null;

  @NamesChange('Features of the device. Android: `uses-feature`. iOS: `UIRequiredDeviceCapabilities`.')
  features: NamesChangeResponse | null;

  @NamesChange('Schemes of the addresses that open the app.')
  url_schemes: NamesChangeResponse | null;

  @NamesChange('iOS: the frameworks and libraries in the app, without their versions.')
  frameworks: NamesChangeResponse | null;

  @ApiProperty({
    type: ContentsChangeResponse,
    nullable: true,
    description: 'The files. `null` when their sizes are the same, or unknown for one of the builds.',
  })
  contents: ContentsChangeResponse | null;

  @ApiProperty({
    type: CommitsChangeResponse,
    nullable: true,
    description:
      'The commits since the other build. `null` when it is not an earlier build of the same branch and platform, and when no upload from one to the other named commits.',
  })
  commits: CommitsChangeResponse | null;
}

export const toBuildDiffResponse = (id: string, againstId: string, diff: BuildDiff): BuildDiffResponse => ({
  build_id: id,
  against: againstId,
  platform: diff.platform,
  name: diff.name,
  bundle_id: diff.bundleId,
  version: diff.version,
  build_number: diff.buildNumber,
  size_bytes: diff.sizeBytes,
  min_os_version: diff.minOsVersion,
  min_sdk: diff.minSdk,
  target_sdk: diff.targetSdk,
  signing_kind: diff.signingKind,
  profile_name: diff.profileName,
  team_id: diff.teamId,
  certificate_sha256: diff.certificateSha256,
  permissions: toLists(diff.permissions),
  entitlements: toLists(diff.entitlements),
  warnings: toLists(diff.warnings),
  abis: toLists(diff.abis),
  features: toLists(diff.features),
  url_schemes: toLists(diff.urlSchemes),
  frameworks: toLists(diff.frameworks),
  contents: diff.contents && {
    kinds: diff.contents.kinds.map(({ kind, from, to }) => ({ kind, from, to })),
    files: diff.contents.files.map(({ path, from, to }) => ({ path, from, to })),
    further_files: diff.contents.furtherFiles,
  },
  commits: diff.commits && {
    added: toCommitResponses(diff.commits.added),
    further_commits: diff.commits.furtherCommits,
    missing: [...diff.commits.missing],
  },
});

const toLists = <T>(change: ListChange<T> | null): { added: T[]; removed: T[] } | null =>
  change && { added: [...change.added], removed: [...change.removed] };
