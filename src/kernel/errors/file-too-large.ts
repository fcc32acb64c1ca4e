import { AppError } from './app-error';

/** An uploaded file exceeds the size limit. */
export const fileTooLarge = (maxBytes: number): AppError =>
  new AppError('payload_too_large', {
    message: `The file is larger than the limit of ${maxBytes} bytes.`,
    details: { max_bytes: maxBytes },
  });
