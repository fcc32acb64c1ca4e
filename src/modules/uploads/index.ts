export { UploadReceiver } from './upload-receiver';
export { UploadsModule } from './uploads.module';
