import { type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  type HttpOperationResponse,
  type RequestPolicy,
  type RequestPolicyFactory,
  type WebResource,
} from '@azure/storage-blob';
import { bounded, MAX_ANSWER_BYTES, MAX_ANSWER_MS } from '../streams/bounded-read';

/**
 * Bounds what the client takes into memory. A blob is bounded by whoever reads it.
 *
 * The SDK knows this name: such a policy runs for each attempt, before the answer is parsed.
 */
export class InjectorPolicyFactory implements RequestPolicyFactory {
  create(next: RequestPolicy): RequestPolicy {
    return { sendRequest: (request) => sendBounded(next, request) };
  }
}

/** Has every answer streamed, whatever its status, and reads itself all that are not blobs. */
async function sendBounded(next: RequestPolicy, request: WebResource): Promise<HttpOperationResponse> {
  const streamed = request.streamResponseStatusCodes;
  request.streamResponseStatusCodes = new Set([Infinity]);
  const response = await next.sendRequest(request);
  request.streamResponseStatusCodes = streamed;
  const body = response.readableStreamBody as Readable | undefined;
  if (!body || streamed?.has(response.status)) return response;
  response.bodyAsText = await text(bounded(body, MAX_ANSWER_BYTES, MAX_ANSWER_MS));
  response.readableStreamBody = undefined;
  return response;
}
