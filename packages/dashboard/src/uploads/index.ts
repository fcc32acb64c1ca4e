export { attachFile } from './attach-file';
export { type UnfinishedItem, type UploadItem, type UploadTarget } from './store/upload-item';
export { UploadButton } from './upload-button';
export { UploadDropZone } from './upload-drop-zone';
export { UploadsLayer } from './uploads-layer';
export { type Uploads, useUploads } from './use-uploads';
