import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DEVICE_FAMILIES, type DeviceFamily } from '#kernel/builds/device';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BooleanField, EmailField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { ProjectQuery } from '#infra/http/dto/scope-query';
import { VersionField } from '#infra/http/dto/version-fields';
import { SUBSCRIPTION_STATES, type SubscriptionState, TESTER_STATES, type TesterState } from './tester';

@ApiSchema({ description: 'A new tester.' })
export class CreateTesterRequest {
  @EmailField({
    example: 'tess@example.com',
    description: 'The address that mails are sent to. It identifies the tester in the project and cannot be changed.',
  })
  email: string;

  @TextField({
    max: 100,
    optional: true,
    nullable: true,
    example: 'Tess',
    description: 'The name of the tester, for mails and lists. `null` or absent: none.',
  })
  name?: string | null;
}

@ApiSchema({ description: 'Changes of a tester. Absent fields stay as they are.' })
export class UpdateTesterRequest {
  @TextField({
    max: 100,
    optional: true,
    nullable: true,
    example: 'Tess',
    description: 'The name of the tester, for mails and lists. `null` removes it.',
  })
  name?: string | null;
}

export class InviteQuery extends ProjectQuery {
  @IdField({ optional: true, description: 'The channel that the link opens.', of: 'channel' })
  channel_id?: string;
}

@ApiSchema({ description: 'The build that the link opens, if it is not a channel.' })
export class InviteTesterRequest {
  @IdField({ optional: true, description: 'The build that the link opens.', of: 'build' })
  build_id?: string;
}

@ApiSchema({ description: 'The relation of a tester to a channel.' })
export class SubscriptionResponse {
  @IdField({ of: 'channel' })
  channel_id: string;

  @EnumField(SUBSCRIPTION_STATES, {
    name: 'SubscriptionState',
    description: '`suppressed`: the tester unsubscribed. Only they can resubscribe.',
  })
  state: SubscriptionState;
}

@ApiSchema({ description: 'The newest download of a tester.' })
export class LastDownloadResponse {
  @IdField({ of: 'build' })
  build_id: string;

  @VersionField()
  version: string;

  @TextField({ max: 128, nullable: true, example: '42', description: 'Its build number. `null` when it has none.' })
  build_number: string | null;

  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the build.' })
  platform: Platform;

  @EnumField(DEVICE_FAMILIES, { name: 'DeviceFamily', description: 'The kind of device.' })
  device_family: DeviceFamily;

  @TimeField({ description: 'When the first byte was requested.', example: '2026-11-20T18:09:14.298Z' })
  at: string;
}

@ApiSchema({ description: 'A person who installs builds of a project without an account.' })
export class TesterResponse {
  @IdField({ of: 'tester' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project' })
  project_id: string;

  @EmailField({ example: 'tess@example.com', description: 'The address that mails are sent to, as it was entered.' })
  email: string;

  @TextField({
    max: 100,
    nullable: true,
    example: 'Tess',
    description: 'The name of the tester. `null` when none was given.',
  })
  name: string | null;

  @BooleanField({ example: false, description: 'Whether the tester chose to stop testing the project.' })
  declined: boolean;

  @ApiProperty({
    type: [SubscriptionResponse],
    description: 'The channels that the tester is subscribed to, or unsubscribed from.',
  })
  subscriptions: SubscriptionResponse[];

  @EnumField(TESTER_STATES, {
    nullable: true,
    example: 'has_current',
    name: 'TesterState',
    description:
      'The state of the tester. `null` for callers without `MANAGE_TESTERS`. `added`: not mailed yet. `invited`: mailed a link. `opened`: opened one. `has_current`: they downloaded a build, and are not `behind`. `behind`: another build is current in their channels. `left`: they unsubscribed. `bounced`: the mail server says that the address is invalid, so they get no mails.',
  })
  state: TesterState | null;

  @TimeField({
    nullable: true,
    example: '2026-11-20T18:04:02.115Z',
    description:
      'When the last mail with an install link was queued, an invitation or about a release. `null` before, and for callers without `MANAGE_TESTERS`.',
  })
  invited_at: string | null;

  @TimeField({
    nullable: true,
    example: '2026-11-20T18:08:51.460Z',
    description:
      'When the tester first opened one of their links. `null` before, and for callers without `MANAGE_TESTERS`.',
  })
  opened_at: string | null;

  @TimeField({
    nullable: true,
    example: null,
    description:
      'When the mail server said that the address is invalid. No mails are sent to it until `POST /testers/{tester_id}/invite` tries again. `null` while mails are sent, and for callers without `MANAGE_TESTERS`.',
  })
  bounced_at: string | null;

  @TextField({
    max: 11,
    nullable: true,
    example: null,
    description:
      'The status that the mail server gave, such as `5.1.1` (RFC 3463): unknown mailbox; `550` from a server without such codes. `null` while `bounced_at` is.',
  })
  bounce_code: string | null;

  @ApiProperty({
    type: () => LastDownloadResponse,
    nullable: true,
    description:
      'The newest download through a link of the tester. `null` when the download log has none, and for callers without `MANAGE_TESTERS`.',
  })
  last_download: LastDownloadResponse | null;

  @TimeField({ example: '2026-11-03T10:11:26.733Z', description: 'When the tester was added.' })
  created_at: string;
}

export class TesterPage extends PageOf(TesterResponse) {}
