export { ByosaService } from './byosa/byosa.service';
export { BucketOwnership } from './accounts/bucket-ownership';
export { STORAGE_FILES, StorageErasure } from './storage.account-data';
export { StorageModule } from './storage.module';
export { type BlobPlace, HOSTED, type StorageAccount, StorageService } from './storage.service';
