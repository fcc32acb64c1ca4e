export { FileUnreadableError, type Network, type OutgoingPart, type PartSender } from './part-sender';
export { describesItself, type FileFacts, isSameFile, platformInName } from './parts';
export { isTransient, type Retries, sleep, type Sleep } from './retries';
export {
  ResumableUpload,
  type ResumableUploadOptions,
  type UploadFields,
  type UploadSnapshot,
  type UploadState,
} from './resumable-upload';
export { SendingSlots } from './sending-slots';
export { type UploadScope } from './upload-api';
