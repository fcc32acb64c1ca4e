import { type ServerResponse } from 'node:http';

/** Aborted when the client disconnects before its response is complete. @param reason the error that ends the work. */
export function disconnectionOf(response: ServerResponse, reason: () => Error): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) controller.abort(reason());
  };
  if (response.destroyed) abort();
  else response.once('close', abort);
  return controller.signal;
}
