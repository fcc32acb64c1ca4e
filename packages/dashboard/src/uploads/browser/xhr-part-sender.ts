import {
  type ApiError,
  envelopeToApiError,
  FileUnreadableError,
  type OutgoingPart,
  type PartSender,
} from '@agate/client';

/** A connection without progress for this time counts as broken. */
const SILENCE_MS = 60_000;

/** Sends the parts of a file by XMLHttpRequest, because `fetch` does not report the progress of a body. */
export class XhrPartSender implements PartSender {
  constructor(private readonly file: Blob) {}

  async send(part: OutgoingPart): Promise<ApiError | null> {
    const body = this.file.slice(part.start, part.end, 'application/octet-stream');
    const error = await put(part, body);
    // A request whose body cannot be read fails like one without a network.
    if (error?.status === 0 && !(await isReadable(body))) {
      throw new FileUnreadableError('The file was changed, moved or deleted while it was sent.');
    }
    return error;
  }
}

/** For uploads whose parts have all arrived already. */
export const NO_PARTS: PartSender = {
  send: () => Promise.reject(new FileUnreadableError('The file is no longer known.')),
};

function put({ url, signal, onProgress }: OutgoingPart, body: Blob): Promise<ApiError | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    let silence = setTimeout(abort, SILENCE_MS);
    const moved = (): void => {
      clearTimeout(silence);
      silence = setTimeout(abort, SILENCE_MS);
    };
    request.open('PUT', url);
    request.setRequestHeader('Accept', 'application/json');
    request.upload.onprogress = ({ loaded }) => {
      moved();
      onProgress(loaded);
    };
    request.onloadend = () => {
      clearTimeout(silence);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve(errorOf(request));
    };
    signal.addEventListener('abort', abort, { once: true });
    request.send(body);
  });
}

function errorOf(request: XMLHttpRequest): ApiError | null {
  if (request.status >= 200 && request.status < 300) return null;
  return envelopeToApiError(request.status, parse(request.responseText), request.getResponseHeader('Retry-After'));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isReadable = (body: Blob): Promise<boolean> =>
  body
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
