export { StorageModule } from './storage.module';
export { type BlobPlace, type StorageAccount, StorageService } from './storage.service';
