import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { NOTES_LENGTH } from '#kernel/builds/notes';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { EXAMPLE } from '#infra/http/dto/example';
import {
  BlankIsAbsent,
  BooleanQueryField,
  CutTextField,
  EnumField,
  IdField,
  IntegerFormField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { ObjectListField } from '#infra/http/dto/object-list-field';
import {
  type BuildDraft,
  BuildResponse,
  CommitRequest,
  MAX_COMMITS,
  SHA_PATTERN,
  type ShownBuild,
  SUBJECT_LENGTH,
  toCommits,
  toUploadersBuildResponse,
} from '#modules/builds';
import { BRANCH_PROBLEMS, type BranchProblem } from '#modules/channels';

/** The text parts beside `file`. An omitted part is read from the artifact, if the artifact contains it. */
export class CreateBuildRequest {
  @BlankIsAbsent()
  @TextField({
    max: 128,
    optional: true,
    example: '1.4.0',
    description:
      'The version that people see. Default: read from the artifact. Required for files that carry no metadata.',
  })
  version?: string;

  @BlankIsAbsent()
  @TextField({
    max: 128,
    optional: true,
    example: '42',
    description:
      'The number that distinguishes builds of one version: `CFBundleVersion` or `versionCode`. Default: read from the artifact.',
  })
  build_number?: string;

  @BlankIsAbsent()
  @EnumField(PLATFORMS, {
    optional: true,
    name: 'Platform',
    description:
      'Default: read from the artifact, which it must not contradict (`platform_mismatch`). Required for files that carry no metadata.',
  })
  platform?: Platform;

  @BlankIsAbsent()
  @TextField({
    max: NOTES_LENGTH,
    lines: true,
    optional: true,
    example: 'Fixes the login on small screens.',
    description: 'Notes for testers, shown on the install page and in mails.',
  })
  notes?: string;

  @BlankIsAbsent()
  @TextField({
    max: 64,
    optional: true,
    pattern: /^[0-9a-fA-F]{64}$/,
    description:
      'The SHA-256 of the file in hexadecimal. If the received bytes have another one, the upload is rejected (`sha256_mismatch`).',
    example: EXAMPLE.sha256,
  })
  sha256?: string;

  @BlankIsAbsent()
  @TextField({ max: 255, optional: true, example: 'main', description: 'The branch of the source code.' })
  branch?: string;

  @BlankIsAbsent()
  @TextField({ max: 64, optional: true, example: '9fceb02', description: 'The commit of the source code.' })
  commit?: string;

  @BlankIsAbsent()
  @TextField({
    max: 2000,
    optional: true,
    pattern: /^https?:\/\/\S+$/,
    example: 'https://ci.example.com/jobs/7',
    description: 'The page of the CI job that made the build.',
  })
  ci_url?: string;

  @BlankIsAbsent()
  @IntegerFormField({
    min: 1,
    max: 2_147_483_647,
    optional: true,
    example: 12,
    description: 'The number of the pull request or merge request that the build was made for.',
  })
  pull_request?: number;

  @BlankIsAbsent()
  @TextField({
    max: 2000,
    optional: true,
    pattern: /^https?:\/\/\S+$/,
    example: 'https://git.example.com/demo/pull/12',
    description: 'The page of that pull request or merge request.',
  })
  pull_request_url?: string;

  @BlankIsAbsent()
  @CutTextField({
    max: SUBJECT_LENGTH,
    optional: true,
    example: 'Log in on small screens',
    description: 'The title of that pull request. Has no effect without `pull_request` or `pull_request_url`.',
  })
  pull_request_title?: string;

  @ObjectListField(CommitRequest, {
    max: MAX_COMMITS,
    description:
      'The commits that the previous build did not contain, newest first. An empty list says that there are none. Absent: unknown.',
  })
  commits?: CommitRequest[];

  @BlankIsAbsent()
  @TextField({
    max: 64,
    optional: true,
    pattern: SHA_PATTERN,
    example: '4a202b3',
    description:
      'The commit of the previous build, which `commits` does not contain. Comparisons need it, to put the lists of several builds together. Has no effect without `commits`.',
  })
  commits_since?: string;

  @BlankIsAbsent()
  @TimeField({
    optional: true,
    example: '2025-02-01T09:30:00.000Z',
    description: 'When the file was uploaded to the service that it is imported from. It is shown only.',
  })
  original_uploaded_at?: string;

  @BlankIsAbsent()
  @IdField({
    optional: true,
    of: 'channel',
    description: 'Promotes the build to this channel immediately. Needs `MANAGE_RELEASES`.',
  })
  channel_id?: string;

  @BlankIsAbsent()
  @BooleanQueryField({
    optional: true,
    description:
      'Whether the subscribers of the channel of `channel_id` are mailed. Default: `true`. Has no effect without `channel_id`.',
  })
  notify?: boolean;
}

/** The multipart body as the OpenAPI document shows it. The parts may come in any order. */
@ApiSchema({
  description:
    'The artifact and the metadata that it does not contain. An omitted part is read from the artifact, if the artifact contains it.',
})
export class UploadBuildForm extends OmitType(CreateBuildRequest, ['commits']) {
  @ApiProperty({ type: 'string', format: 'binary', description: 'The artifact, with its file name.' })
  file: unknown;

  @ApiProperty({
    type: 'string',
    required: false,
    example: '[{"sha":"9fceb02","subject":"Fix the login on small screens","author":"Ann"}]',
    description: `The commits that the previous build did not contain, newest first: a JSON array of at most ${MAX_COMMITS} objects, as in \`POST /builds/uploads\`.`,
  })
  commits?: string;
}

@ApiSchema({ description: 'The build that an upload made, and the release if it was promoted.' })
export class UploadedBuildResponse extends BuildResponse {
  @IdField({
    optional: true,
    description:
      'The release that the build was promoted as. Absent when the upload named no channel and its branch has none.',
    of: 'release',
  })
  release_id?: string;

  @IdField({
    optional: true,
    description: 'The attachment that a resumable upload added to the build. Absent when the upload made the build.',
    of: 'attachment',
  })
  attachment_id?: string;

  @EnumField(BRANCH_PROBLEMS, {
    optional: true,
    description:
      'Why the build was not promoted to the channel of its branch (`branch_channels` of the project): the plan has no channels, or the project has as many as allowed. Otherwise absent.',
  })
  branch_channel_problem?: BranchProblem;
}

export const toBuildDraft = (body: CreateBuildRequest): BuildDraft => ({
  version: body.version,
  buildNumber: body.build_number,
  platform: body.platform,
  notes: body.notes,
  sha256: body.sha256,
  branch: body.branch,
  commit: body.commit,
  ciUrl: body.ci_url,
  pullRequestNumber: body.pull_request,
  pullRequestUrl: body.pull_request_url,
  pullRequestTitle: body.pull_request_title,
  commits: body.commits && toCommits(body.commits),
  commitsSince: body.commits_since,
  originalUploadedAt: body.original_uploaded_at,
  channelId: body.channel_id,
  notify: body.notify,
});

/** What an upload made besides a build. */
interface UploadOutcome {
  readonly releaseId: string | null;
  readonly attachmentId: string | null;
  /** Absent when a resumable upload is completed again. */
  readonly branchProblem?: BranchProblem | null;
}

export const toUploadedBuildResponse = (
  build: ShownBuild,
  { releaseId, attachmentId, branchProblem }: UploadOutcome,
): UploadedBuildResponse => ({
  ...toUploadersBuildResponse(build),
  ...(releaseId && { release_id: releaseId }),
  ...(attachmentId && { attachment_id: attachmentId }),
  ...(branchProblem && { branch_channel_problem: branchProblem }),
});
