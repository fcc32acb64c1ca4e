import { Injectable } from '@nestjs/common';
import { type ExportedFile, type ExportedFiles } from '#kernel/account-data';
import { AUDIT_FILES } from '#infra/audit/audit.account-data';
import { ACCOUNT_FLAGS_FILES } from '#infra/rate-limit/account-flags.account-data';
import { AccountFiles } from '#modules/account-data';
import { AUTH_FILES } from '#modules/auth';
import { BILLING_FILES } from '#modules/billing';
import { BUILDS_FILES } from '#modules/builds';
import { CHANNELS_FILES } from '#modules/channels';
import { DEVELOPERS_FILES } from '#modules/developers';
import { DEVICES_FILES } from '#modules/devices';
import { INSTALL_LINKS_FILES } from '#modules/install-links';
import { ORGANIZATIONS_FILES } from '#modules/organizations';
import { PROJECTS_FILES } from '#modules/projects';
import { RELEASES_FILES } from '#modules/releases';
import { STORAGE_FILES } from '#modules/storage';
import { TESTERS_FILES } from '#modules/testers';
import { TOKENS_FILES } from '#modules/tokens';
import { UPDATES_FILES } from '#modules/updates';
import { UPLOADS_FILES } from '#modules/uploads';
import { WEBHOOKS_FILES } from '#modules/webhooks';
import { MEMBERS_FILES } from './members-files';

const CONTRIBUTIONS: readonly ExportedFiles[] = [
  DEVELOPERS_FILES,
  AUTH_FILES,
  ORGANIZATIONS_FILES,
  MEMBERS_FILES,
  PROJECTS_FILES,
  TOKENS_FILES,
  BUILDS_FILES,
  UPLOADS_FILES,
  CHANNELS_FILES,
  RELEASES_FILES,
  INSTALL_LINKS_FILES,
  UPDATES_FILES,
  TESTERS_FILES,
  DEVICES_FILES,
  WEBHOOKS_FILES,
  BILLING_FILES,
  STORAGE_FILES,
  ACCOUNT_FLAGS_FILES,
  AUDIT_FILES,
];

export const ORGANIZATION_FILES: readonly ExportedFile[] = CONTRIBUTIONS.flatMap(
  ({ organization = [] }) => organization,
);

export const DEVELOPER_FILES: readonly ExportedFile[] = CONTRIBUTIONS.flatMap(({ developer = [] }) => developer);

@Injectable()
export class ExportedFilesList extends AccountFiles {
  readonly organization = ORGANIZATION_FILES;
  readonly developer = DEVELOPER_FILES;
}
