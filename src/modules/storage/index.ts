export { BucketOwnershipService } from './accounts/bucket-ownership.service';
export { ByosaService } from './byosa/byosa.service';
export { StorageModule } from './storage.module';
export { type BlobPlace, HOSTED, type StorageAccount, StorageService } from './storage.service';
