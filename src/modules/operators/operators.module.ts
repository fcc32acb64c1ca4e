import { Module } from '@nestjs/common';
import { AuditFeedModule } from '#modules/audit';
import { BackupsModule } from '#modules/backups';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { StorageModule } from '#modules/storage';
import { RateLimitModule } from '#platform/rate-limit/rate-limit.module';
import { AuditCommands } from './audit-commands';
import { BackupCommands } from './backup-commands';
import { BillingCommands } from './billing-commands';
import { BlobCommands } from './blob-commands';
import { ByosaCommands } from './byosa-commands';
import { FlagCommands } from './flag-commands';
import { JobCommands } from './job-commands';
import { KeyCommands } from './key-commands';
import { OperatorCommands } from './operator-commands';

@Module({
  imports: [AuditFeedModule, BackupsModule, BillingModule, BuildsModule, RateLimitModule, StorageModule],
  providers: [
    AuditCommands,
    BackupCommands,
    BillingCommands,
    BlobCommands,
    ByosaCommands,
    FlagCommands,
    JobCommands,
    KeyCommands,
    OperatorCommands,
  ],
  exports: [OperatorCommands],
})
export class OperatorsModule {}
