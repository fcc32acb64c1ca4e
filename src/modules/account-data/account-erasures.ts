import { type Type } from '@nestjs/common';
import { type AccountErasure } from '#kernel/account-data';
import { AccountFlagsErasure } from '#infra/rate-limit/account-flags.account-data';
import { BillingErasure } from '#modules/billing';
import { BuildsErasure } from '#modules/builds';
import { ChannelsErasure } from '#modules/channels';
import { OrganizationsErasure } from '#modules/organizations';
import { ProjectsErasure } from '#modules/projects';
import { StorageErasure } from '#modules/storage';
import { TestersErasure } from '#modules/testers';
import { TokensErasure } from '#modules/tokens';
import { UploadsErasure } from '#modules/uploads';
import { WebhooksErasure } from '#modules/webhooks';
import { DataExportsErasure } from './exports/data-exports.account-data';

/**
 * The order of an erasure. Foreign keys need builds and testers before channels, channels before projects, and the organization last.
 * Billing follows the builds, because their deletion creates the last storage charges. Uploads are counted before the deletions that
 * they enqueue.
 */
export const ERASURE_ORDER: readonly Type<AccountErasure>[] = [
  TokensErasure,
  WebhooksErasure,
  UploadsErasure,
  BuildsErasure,
  TestersErasure,
  BillingErasure,
  ChannelsErasure,
  ProjectsErasure,
  StorageErasure,
  DataExportsErasure,
  AccountFlagsErasure,
  OrganizationsErasure,
];

/** The parts of all modules in an erasure, in order. */
export class AccountErasures {
  constructor(readonly all: readonly AccountErasure[]) {}
}
