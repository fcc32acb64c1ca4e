import { cleanText } from '#kernel/text/text';

const MAX_NAME = 64;

/**
 * The name that a client states for itself: in each message since the revision of 2026-07-28, before only in the first message, so that the
 * product of the `User-Agent` stands in. Null when it states none.
 */
export function clientNameOf(body: object, userAgent: string | undefined): string | null {
  const { params } = body as { params?: { clientInfo?: unknown; _meta?: Readonly<Record<string, unknown>> } };
  const info = params?._meta?.['io.modelcontextprotocol/clientInfo'] ?? params?.clientInfo;
  const stated = (info as { name?: unknown } | null | undefined)?.name ?? userAgent?.split(/[/ ]/)[0];
  const name = typeof stated === 'string' ? cleanText(stated, MAX_NAME) : '';
  return name === '' ? null : name;
}
