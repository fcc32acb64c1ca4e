import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField, IdField, IntegerField, TextField } from '#infra/http/dto/fields';
import { MAX_COMMITS, SUBJECT_LENGTH } from '../commits/build-commits';
import { CommitResponse } from '../commits/commits.dto';

@ApiSchema({ description: 'The owner of the credential that uploaded the build.' })
export class UploadedByResponse {
  @TextField({ max: 40, example: 'project_access_token', description: '`developer` or `project_access_token`.' })
  kind: string;

  @IdField({ nullable: true, of: 'project access token', description: 'Id of the developer or token.' })
  id: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'GitHub Actions',
    description:
      'The name of the developer, or the e-mail address of one without a name, or the name of the token. `null` after the account or token was deleted.',
  })
  label: string | null;
}

@ApiSchema({ description: 'A channel that the build was promoted to.' })
export class BuildChannelResponse {
  @IdField({ of: 'channel' })
  id: string;

  @TextField({ max: 100, example: 'Beta', description: 'The name of the channel.' })
  name: string;

  @BooleanField({
    description: 'Whether testers of the channel get this build: it is the current release of its platform.',
  })
  current: boolean;
}

@ApiSchema({ description: 'A text by which an iOS app explains why it needs access.' })
export class UsageDescriptionResponse {
  @TextField({ max: 120, example: 'NSCameraUsageDescription', description: 'The key in the Info.plist.' })
  key: string;

  @TextField({ min: 0, max: 500, example: 'Scans the codes of parcels.', description: 'The text that people see.' })
  text: string;
}

@ApiSchema({
  description:
    'The app, as described by the artifact. All fields are `null` or empty for files that carry no metadata.',
})
export class AppResponse {
  @TextField({
    max: 255,
    nullable: true,
    example: 'Demo',
    description: 'The name of the app. `null` when the artifact does not contain it.',
  })
  name: string | null;

  @TextField({
    max: 255,
    nullable: true,
    example: 'com.example.demo',
    description: 'The bundle id (iOS) or application id (Android). `null` when the artifact does not contain it.',
  })
  bundle_id: string | null;

  @TextField({
    max: 64,
    nullable: true,
    example: '15.0',
    description: 'iOS: the oldest version that it runs on. `null` on other platforms.',
  })
  min_os_version: string | null;

  @ApiProperty({ type: [String], description: 'iOS: iphone, ipad, tv, watch, vision.', example: ['iphone', 'ipad'] })
  device_families: string[];

  @ApiProperty({
    type: [String],
    description: 'Android: ABIs of the native code. Empty when it runs on any.',
    example: [],
  })
  abis: string[];

  @IntegerField({
    min: 0,
    nullable: true,
    description: 'Android: the lowest API level that it runs on. `null` on other platforms.',
    example: null,
  })
  min_sdk: number | null;

  @IntegerField({
    min: 0,
    nullable: true,
    description: 'Android: the API level that it was made for. `null` on other platforms.',
    example: null,
  })
  target_sdk: number | null;

  @BooleanField({ example: false, description: 'Whether a debugger can be attached.' })
  debuggable: boolean;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['NSCameraUsageDescription'],
    description:
      'What the app may ask people for. Android: the permissions of the manifest. iOS: the keys of the usage descriptions. At most 200. `null` in lists, and when it was not recorded.',
  })
  permissions: string[] | null;

  @ApiProperty({
    type: [UsageDescriptionResponse],
    nullable: true,
    description:
      'iOS: the texts by which the app explains why it needs access. Empty on Android. `null` in lists, and when they were not recorded.',
  })
  usage_descriptions: UsageDescriptionResponse[] | null;
}

@ApiSchema({ description: 'The pull request or merge request that a build was made for, as the upload said.' })
export class PullRequestResponse {
  @IntegerField({
    min: 1,
    nullable: true,
    example: 12,
    description: 'Its number. `null` when the upload did not say.',
  })
  number: number | null;

  @TextField({
    max: 2000,
    nullable: true,
    example: 'https://git.example.com/demo/pull/12',
    description: 'Its page. `null` when the upload did not say.',
  })
  url: string | null;

  @TextField({
    max: SUBJECT_LENGTH,
    nullable: true,
    example: 'Log in on small screens',
    description: 'Its title. `null` in lists, and when the upload did not say.',
  })
  title: string | null;
}

@ApiSchema({ description: 'The source code that a build was made from, as the upload said.' })
export class SourceResponse {
  @TextField({
    max: 255,
    nullable: true,
    example: 'main',
    description: 'The branch. `null` when the upload did not say.',
  })
  branch: string | null;

  @TextField({
    max: 64,
    nullable: true,
    example: '9fceb02',
    description: 'The commit. `null` when the upload did not say.',
  })
  commit: string | null;

  @TextField({
    max: 2000,
    nullable: true,
    example: 'https://ci.example.com/jobs/7',
    description: 'The page of the CI job. `null` when the upload did not say.',
  })
  ci_url: string | null;

  @ApiProperty({
    type: PullRequestResponse,
    nullable: true,
    description: 'The pull request. `null` when the upload named none.',
  })
  pull_request: PullRequestResponse | null;

  @ApiProperty({
    type: [CommitResponse],
    nullable: true,
    maxItems: MAX_COMMITS,
    description:
      'The commits that the previous build did not contain, newest first. `null` in lists, and when the upload did not say.',
  })
  commits: CommitResponse[] | null;

  @TextField({
    max: 64,
    nullable: true,
    example: '4a202b3',
    description:
      'The commit of the previous build, which `commits` does not contain. `null` in lists, and when the upload did not say.',
  })
  commits_since: string | null;
}

@ApiSchema({
  description: 'How often the artifact was downloaded. Ranges and retries with one download URL count once.',
})
export class DownloadCountsResponse {
  @IntegerField({ min: 0, example: 12, description: 'All downloads.' })
  total: number;

  @IntegerField({ min: 0, description: 'Testers who downloaded it at least once.', example: 5 })
  unique_testers: number;
}

@ApiSchema({ description: 'What will fail, or may surprise, when the build is installed.' })
export class WarningResponse {
  @TextField({
    max: 64,
    example: 'profile_expires_soon',
    description: 'Names the kind of warning, for programs. New ones may be added.',
  })
  code: string;

  @TextField({
    max: 1000,
    example: 'The provisioning profile expires in 12 days.',
    description: 'Explains the warning to people. It may change.',
  })
  message: string;
}
