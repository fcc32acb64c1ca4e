export { BucketOwnershipService } from './accounts/bucket-ownership.service';
export { DamageReportService } from './damage-report.service';
export { HostedArtifacts } from './accounts/hosted-artifacts';
export { HostedStoreService } from './accounts/hosted-store.service';
export { HostedStoreIdentityService } from './accounts/hosted-store-identity.service';
export { ByosaService } from './byosa/byosa.service';
export { type BlobPlace, HOSTED, receivingAccount, type StorageAccount, StorageService } from './storage.service';
export { STORAGE_FILES, StorageErasure } from './storage.account-data';
export { StorageModule } from './storage.module';
