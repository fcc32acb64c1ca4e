import { AppError } from '#kernel/errors/app-error';

/** Every error while reading the feed becomes a 503, so that the client retries later. @throws AppError storage_backend_unavailable */
export const orUnavailable = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((cause: unknown) => {
    throw new AppError('storage_backend_unavailable', {
      message: 'The audit feed cannot be read at the moment. Try again shortly.',
      cause,
    });
  });
