import { Injectable } from '@nestjs/common';
import { AuditCommands } from './audit-commands';
import { BackupCommands } from './backup-commands';
import { BillingCommands } from './billing-commands';
import { BlobCommands } from './blob-commands';
import { ByosaCommands } from './byosa-commands';
import { FlagCommands } from './flag-commands';
import { JobCommands } from './job-commands';
import { KeyCommands } from './key-commands';
import { type OperatorCommand } from './operator-command';

/** All that an operator can have done, in the order of the help. */
@Injectable()
export class OperatorCommands {
  readonly all: readonly OperatorCommand[];

  constructor(
    audit: AuditCommands,
    backup: BackupCommands,
    billing: BillingCommands,
    blobs: BlobCommands,
    byosa: ByosaCommands,
    flags: FlagCommands,
    jobs: JobCommands,
    keys: KeyCommands,
  ) {
    this.all = [audit, backup, billing, blobs, byosa, flags, jobs, keys].flatMap(({ commands }) => commands);
  }
}
