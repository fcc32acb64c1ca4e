import { Module } from '@nestjs/common';
import { AccountDataModule } from '#modules/account-data';
import { AuditFeedModule } from '#modules/audit';
import { BackupsModule } from '#modules/backups';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { StorageModule } from '#modules/storage';
import { RateLimitModule } from '#platform/rate-limit/rate-limit.module';
import { AccountCommands } from './account-commands';
import { AuditCommands } from './audit-commands';
import { BackupCommands } from './backup-commands';
import { BillingCommands } from './billing-commands';
import { BlobCommands } from './blob-commands';
import { ByosaCommands } from './byosa-commands';
import { FlagCommands } from './flag-commands';
import { JobCommands } from './job-commands';
import { KeyCommands } from './key-commands';
import { type OperatorCommandGroup } from './operator-command';
import { OperatorCommands } from './operator-commands';

/** By subject, in the order of the help. */
const GROUPS = [
  AccountCommands,
  AuditCommands,
  BackupCommands,
  BillingCommands,
  BlobCommands,
  ByosaCommands,
  FlagCommands,
  JobCommands,
  KeyCommands,
];

@Module({
  imports: [
    AccountDataModule,
    AuditFeedModule,
    BackupsModule,
    BillingModule,
    BuildsModule,
    RateLimitModule,
    StorageModule,
  ],
  providers: [
    ...GROUPS,
    {
      provide: OperatorCommands,
      inject: GROUPS,
      useFactory: (...groups: OperatorCommandGroup[]) => new OperatorCommands(groups),
    },
  ],
  exports: [OperatorCommands],
})
export class OperatorsModule {}
