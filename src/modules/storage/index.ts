export { ByosaService } from './byosa.service';
export { Installations } from './installations';
export { StorageModule } from './storage.module';
export { type BlobPlace, HOSTED, type StorageAccount, StorageService } from './storage.service';
