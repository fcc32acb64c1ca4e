import { Module } from '@nestjs/common';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import { AccountDataModule } from '#modules/account-data';
import { AuditFeedModule } from '#modules/audit';
import { BackupsModule } from '#modules/backups';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { DevelopersModule } from '#modules/developers';
import { StorageModule } from '#modules/storage';
import { AccountCommands } from './commands/account.commands';
import { AccountSecurityCommands, FlagCommands, SignUpCommands } from './commands/account-security.commands';
import { AuditCommands } from './commands/audit.commands';
import { BackupCommands } from './commands/backup.commands';
import { BillingCommands } from './commands/billing.commands';
import { BlobCommands } from './commands/blob.commands';
import { ByosaCommands } from './commands/byosa.commands';
import { ClockCommands } from './commands/clock.commands';
import { JobCommands } from './commands/job.commands';
import { KeyCommands } from './commands/key.commands';
import { type OperatorCommandGroup, OperatorCommands } from './operator-command';

/** In the order of the help. */
const GROUPS = [
  AccountCommands,
  AccountSecurityCommands,
  AuditCommands,
  BackupCommands,
  BillingCommands,
  BlobCommands,
  ByosaCommands,
  ClockCommands,
  FlagCommands,
  JobCommands,
  KeyCommands,
  SignUpCommands,
];

@Module({
  imports: [
    AccountDataModule,
    AuditFeedModule,
    BackupsModule,
    BillingModule,
    BuildsModule,
    DevelopersModule,
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
