export { type UnfinishedItem, type UploadItem, type UploadTarget } from './store/upload-item';
export { UploadButton } from './upload-button';
export { UploadsLayer } from './uploads-layer';
export { type Uploads, useUploads } from './use-uploads';
