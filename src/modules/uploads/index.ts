export { ResumableUploadsService } from './resumable-uploads/resumable-uploads.service';
export { UploadReceiver } from './upload-receiver';
export { UploadsModule } from './uploads.module';
