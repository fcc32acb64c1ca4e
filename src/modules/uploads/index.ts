export { UploadLimitsService } from './lifecycle/upload-limits.service';
export { RestoredUploadsService } from './lifecycle/restored-uploads.service';
export { ResumableUploadsService } from './resumable-uploads/resumable-uploads.service';
export { UPLOADS_FILES, UploadsErasure } from './uploads.account-data';
export { UploadReceiver } from './upload-receiver';
export { UploadsModule } from './uploads.module';
