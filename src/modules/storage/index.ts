export { ByosaService } from './byosa/byosa.service';
export { BucketOwnership } from './accounts/bucket-ownership';
export { StorageModule } from './storage.module';
export { type BlobPlace, HOSTED, type StorageAccount, StorageService } from './storage.service';
