import { ApiError, sleep, toApiError } from '@agate/client';
import { type Context } from '../../context';

/** A message of the service's stream of changes. */
export interface StreamMessage {
  /** The position in the organization's audit chain. */
  readonly id: string;
  readonly data: { readonly type: string; readonly reason?: string } & Readonly<Record<string, string | undefined>>;
}

const RECONNECT_MS = 2_000;

/**
 * Follows the changes of an organization until the process is interrupted. It reconnects, and continues where it stopped.
 * @throws ApiError when the service rejects the credential.
 */
export async function* changesOf(context: Context, organizationId: string): AsyncGenerator<StreamMessage> {
  const place: Place = { last: undefined };
  while (!context.signal.aborted) {
    try {
      yield* connection(context, organizationId, place);
    } catch (error) {
      if (context.signal.aborted) return;
      if (error instanceof ApiError && [401, 403, 404].includes(error.status)) throw error;
      context.output.debug(`The stream broke off: ${String(error)}`);
    }
    await sleep(RECONNECT_MS, context.signal).catch(() => undefined);
  }
}

/** Where a new connection continues. */
interface Place {
  last: string | undefined;
}

/** The changes of one connection. */
async function* connection(context: Context, organizationId: string, place: Place): AsyncGenerator<StreamMessage> {
  const response = await connect(context, organizationId, place.last);
  if (place.last === undefined) context.output.say('Waiting for events. End with Ctrl C.');
  for await (const message of messagesIn(response)) {
    place.last = message.id;
    if (isChange(context, message)) yield message;
  }
}

/** Whether a message is a change, and not one about the stream itself. Reports changes that were missed. */
function isChange({ output }: Context, { data: { type } }: StreamMessage): boolean {
  if (type === 'resync') output.warn('Some events were missed.');
  return !['', 'resync', 'closing'].includes(type);
}

async function connect(context: Context, organizationId: string, last: string | undefined): Promise<Response> {
  const { url, token } = await context.settings();
  const response = await fetch(`${url}/api/v1/events?organization_id=${encodeURIComponent(organizationId)}`, {
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token}`,
      ...(last !== undefined && { 'Last-Event-ID': last }),
    },
    signal: context.signal,
  });
  if (!response.ok) throw await toApiError(response);
  return response;
}

/** The longest message that is read. Those of the service are shorter. */
const MAX_MESSAGE = 64 * 1024;

/** Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). A message without data has the type ''. */
async function* messagesIn(response: Response): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > MAX_MESSAGE) return;
    for (const block of blocks) yield messageOf(block);
  }
}

function messageOf(block: string): StreamMessage {
  const field = (name: string): string | undefined =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field('data');
  return {
    id: field('id') ?? '',
    data: data === undefined ? { type: '' } : (JSON.parse(data) as StreamMessage['data']),
  };
}
