import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { type Language, LANGUAGES } from '#kernel/text/language';
import { EXAMPLE } from '#infra/http/dto/example';
import { BooleanField, EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { OrganizationPageQuery } from '#infra/http/dto/scope-query';
import { ProjectSummaryResponse } from './summary/project-summary.dto';

const NAME = 'The name of the app. Unique in the organization. Testers see it on install pages and in mails.';
const LANGUAGE = 'The language of the mails to testers. Pages for testers follow the language of their browser.';
const SIGNING_EXPIRY_MAILS =
  'Whether the managers of the project get mails before the provisioning profile or the signing certificate of a build expires that testers can get, and afterwards.';
const ANY_BUNDLE_ID = 'True: accept builds with any bundle id. False: the first build of each platform pins it.';

const BRANCH_CHANNELS =
  'Promotes uploads of matching branches to a channel of the branch, without mails, and makes the channel if there is none. `null`: uploads make no channels. Channels need the plan `business`.';

@ApiSchema({ description: 'Channels that uploads make, one for each branch.' })
export class BranchChannelsSetting {
  @TextField({
    max: 200,
    example: 'feature/*',
    description:
      'The branches. `*` stands for any characters but `/`, `**` for any characters, `?` for one character but `/`.',
  })
  pattern: string;

  @TextField({
    max: 50,
    pattern: /^[^{}]*\{slug\}[^{}]*$/,
    example: 'branch-{slug}',
    description:
      'The name of the channels, which testers see. `{slug}` stands for the branch in lower-case letters, digits and hyphens.',
  })
  name: string;

  @IntegerField({
    min: 1,
    max: 365,
    example: 14,
    description:
      'A channel ends when it had no release for so many days. It applies from the next upload of a branch on.',
  })
  days: number;
}

const BranchChannelsField = (): PropertyDecorator => (target, property) => {
  for (const decorate of [
    ApiProperty({ type: BranchChannelsSetting, required: false, nullable: true, description: BRANCH_CHANNELS }),
    ValidateIf((_: object, value: unknown) => value !== undefined && value !== null),
    IsObject(),
    ValidateNested(),
    Type(() => BranchChannelsSetting),
  ])
    decorate(target, property);
};

@ApiSchema({ description: 'A new project.' })
export class CreateProjectRequest {
  @TextField({ max: 100, example: 'Demo', description: NAME })
  name: string;

  @BooleanField({ optional: true, description: ANY_BUNDLE_ID, example: false })
  allow_any_bundle_id?: boolean;

  @EnumField(LANGUAGES, { optional: true, name: 'Language', description: `${LANGUAGE} Default: \`en\`.` })
  language?: Language;

  @BooleanField({ optional: true, description: `${SIGNING_EXPIRY_MAILS} Default: true.`, example: true })
  signing_expiry_mails?: boolean;

  @BranchChannelsField()
  branch_channels?: BranchChannelsSetting | null;
}

@ApiSchema({ description: 'Changes of a project. Absent fields stay as they are.' })
export class UpdateProjectRequest {
  @TextField({ max: 100, optional: true, example: 'Demo', description: NAME })
  name?: string;

  @BooleanField({ optional: true, description: ANY_BUNDLE_ID, example: false })
  allow_any_bundle_id?: boolean;

  @EnumField(LANGUAGES, { optional: true, name: 'Language', description: LANGUAGE })
  language?: Language;

  @BooleanField({ optional: true, description: SIGNING_EXPIRY_MAILS, example: true })
  signing_expiry_mails?: boolean;

  @BranchChannelsField()
  branch_channels?: BranchChannelsSetting | null;
}

export class ListProjectsQuery extends OrganizationPageQuery {
  @TextField({
    max: 200,
    optional: true,
    description: 'Lists only projects whose name contains this text.',
    example: 'Demo',
  })
  q?: string;

  @TextField({
    max: 255,
    optional: true,
    description:
      'Lists only projects that accept builds of this app: the bundle id or application id of the first build of a platform.',
    example: 'com.example.demo',
  })
  bundle_id?: string;

  @EnumField(['summary'], { optional: true, description: '`summary` adds a summary to each project.' })
  include?: 'summary';
}

@ApiSchema({ description: 'An app that is distributed. Builds, channels, testers and tokens belong to a project.' })
export class ProjectResponse {
  @IdField({ of: 'project' })
  id: string;

  @IdField({ of: 'organization', description: 'The organization that owns the project.' })
  organization_id: string;

  @TextField({ max: 100, example: 'Demo', description: 'The name of the app. Unique in the organization.' })
  name: string;

  @BooleanField({
    example: false,
    description: 'Whether builds with any bundle id are accepted. Otherwise the first build of each platform pins it.',
  })
  allow_any_bundle_id: boolean;

  @EnumField(LANGUAGES, { name: 'Language', description: 'The language of the mails to testers.' })
  language: Language;

  @BooleanField({ example: true, description: SIGNING_EXPIRY_MAILS })
  signing_expiry_mails: boolean;

  @ApiProperty({ type: BranchChannelsSetting, nullable: true, description: BRANCH_CHANNELS })
  branch_channels: BranchChannelsSetting | null;

  @TimeField({ example: '2026-11-02T09:24:30.552Z', description: 'When the project was created.' })
  created_at: string;

  @TextField({
    max: 2000,
    nullable: true,
    example: EXAMPLE.icon,
    description:
      'The icon of the newest build with one, at an address that gives access to the icon only and needs no credential. `null` when no build has one.',
  })
  icon_url: string | null;
}

@ApiSchema({ description: 'A project of a list.' })
export class ListedProjectResponse extends ProjectResponse {
  @ApiProperty({ required: false, description: 'The state of the project. Present with `include=summary`.' })
  summary?: ProjectSummaryResponse;
}

export class ProjectPage extends PageOf(ListedProjectResponse) {}
