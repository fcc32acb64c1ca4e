import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type TestApp } from '../app/test-app';

/** The result of a tool. */
export interface ToolResult {
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What tests do with a client of either library. */
export interface Agent {
  readonly tools: () => Promise<readonly ListedTool[]>;
  readonly call: (name: string, input?: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
  readonly close: () => Promise<void>;
  /** The revision of the protocol that both sides agreed on. */
  readonly revision: string | undefined;
}

export interface AgentOptions {
  readonly toolsets?: string;
  /** Answers a question to the person, of a client that can ask. */
  readonly person?: (message: string) => {
    readonly action: 'accept' | 'decline';
    readonly content?: { agree: boolean };
  };
}

const addressOf = (app: TestApp): URL => new URL(`${app.url}/mcp`);

const headersFor = (token: string, toolsets: string | undefined): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  ...(toolsets !== undefined && { 'X-Agate-Toolsets': toolsets }),
});

/** A client of the present library that speaks one revision only, or negotiates. */
export async function connectAgent(
  app: TestApp,
  token: string,
  { toolsets, person, revision = 'auto' }: AgentOptions & { readonly revision?: '2026-07-28' | 'auto' | 'legacy' } = {},
): Promise<Agent> {
  const mode = revision === '2026-07-28' ? { pin: revision } : revision;
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: person ? { elicitation: { form: {} } } : {} },
  );
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message));
  const requestInit = { headers: headersFor(token, toolsets) };
  await client.connect(new StreamableHTTPClientTransport(addressOf(app), { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as unknown as ToolResult,
    close: () => client.close(),
    revision: client.getNegotiatedProtocolVersion(),
  };
}

/** A client of the library of 2025, which knows no revision of 2026. */
export async function connectOldAgent(app: TestApp, token: string, { toolsets }: AgentOptions = {}): Promise<Agent> {
  const client = new OldClient({ name: 'old-agent', version: '1.0.0' });
  const transport = new OldTransport(addressOf(app), { requestInit: { headers: headersFor(token, toolsets) } });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as unknown as ToolResult,
    close: () => client.close(),
    revision: transport.protocolVersion,
  };
}

/** Sends one message without a client. */
export const postMessage = (
  app: TestApp,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(addressOf(app), {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: body as string,
  });

export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});
