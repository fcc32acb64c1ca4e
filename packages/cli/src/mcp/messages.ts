/** A message of JSON-RPC 2.0. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const INVALID_PARAMS = -32_602;
const SERVER_ERROR = -32_000;

/**
 * The headers of a message. Since the revision of 2026-07-28, each message names its revision, and the headers repeat what the message says;
 * before, the answer to the first message named the revision of all.
 * @param agreed the revision of that answer.
 */
export function headersOf({ method, params }: Message, agreed: string | undefined): Readonly<Record<string, string>> {
  const version = (params?.['_meta'] as Readonly<Record<string, unknown>> | undefined)?.[PROTOCOL_VERSION];
  if (typeof version !== 'string') return agreed === undefined ? {} : { 'MCP-Protocol-Version': agreed };
  const name = params?.['name'];
  return {
    'MCP-Protocol-Version': version,
    ...(method !== undefined && { 'Mcp-Method': method }),
    ...(typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) && { 'Mcp-Name': name }),
  };
}

/** The error of a request that the service did not answer as a message. */
export const failed = (id: Message['id'], message: string, data?: unknown): object => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code: SERVER_ERROR, message, ...(data !== undefined && { data }) },
});

export const unknownTool = (id: Message['id'], name: string): object => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code: INVALID_PARAMS, message: `Tool ${name} not found` },
});

/** The result of a tool that failed, as the service writes it. Clients of 2025 ignore `resultType`. */
export const failedTool = (id: Message['id'], error: string, message: string): object => {
  const answer = { error, message, details: {} };
  const content = [{ type: 'text', text: JSON.stringify(answer) }];
  return {
    jsonrpc: '2.0',
    id: id ?? null,
    result: { resultType: 'complete', content, structuredContent: answer, isError: true },
  };
};
