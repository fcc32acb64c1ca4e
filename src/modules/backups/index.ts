export { type BackupReport, BackupService } from './backup.service';
export { BackupsModule } from './backups.module';
export { type RestoreOptions, type RestoreReport, RestoreService } from './restore.service';
export { type SelfCheck, SelfChecksService } from './self-checks.service';
