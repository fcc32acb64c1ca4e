import { ApiError } from '@agate/client';
import { type Context } from '../context';
import { CliError } from '../output/cli-error';
import { failed, failedTool, headersOf, type Message, unknownTool } from './messages';
import { LOCAL_UPLOAD_TOOL, UPLOAD_TOOL, uploadForAgent } from './upload-tool';

/**
 * Passes messages between an agent on this machine and the MCP server of the service, with the credential of the command line. So there is
 * one list of tools, and the service decides and audits here as for every other agent. Only uploads are done here, because the file is here.
 */
export class McpBridge {
  /** The revision of the protocol that the answer to `initialize` named. */
  private agreed: string | undefined;

  constructor(
    private readonly context: Context,
    private readonly toolsets: string,
  ) {}

  /** Answers a line of the agent. Null for a notification, which has no answer. */
  async answer(line: string): Promise<object | null> {
    const message = parsed(line);
    if (message === null) return { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };
    const { id, method, params } = message;
    if (method === 'tools/call' && params?.['name'] === UPLOAD_TOOL) return this.upload(message);
    const answer = await this.send(message);
    const version = answer?.result?.['protocolVersion'];
    if (method === 'initialize' && typeof version === 'string') this.agreed = version;
    if (id === undefined) return null;
    return method === 'tools/list' ? withLocalUpload(answer) : answer;
  }

  private async send(message: Message): Promise<Message | null> {
    const headers = { 'X-Agate-Toolsets': this.toolsets, ...headersOf(message, this.agreed) };
    try {
      const response = await this.context.postMessage(message, headers);
      const text = await response.text();
      const body = text === '' ? null : (JSON.parse(text) as Message & { readonly message?: string });
      if (body === null || 'jsonrpc' in body) return body;
      return failed(message.id, body.message ?? `The service responded with ${response.status}.`, body);
    } catch (error) {
      if (this.context.signal.aborted || error instanceof CliError) throw error;
      return failed(message.id, 'The service cannot be reached.');
    }
  }

  /** Uploads the file and answers what `get_build` says about its build. */
  private async upload({ id, params }: Message): Promise<object | null> {
    const { arguments: given, ...others } = params ?? {};
    if (!this.toolsets.split(',').some((each) => each.trim() === 'write')) return unknownTool(id, UPLOAD_TOOL);
    try {
      const input = (given ?? {}) as Readonly<Record<string, unknown>>;
      const buildId = await uploadForAgent(this.context, input);
      const { project_id } = input;
      const call = {
        name: 'get_build',
        arguments: { build_id: buildId, ...(project_id !== undefined && { project_id }) },
      };
      const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { ...others, ...call } };
      return await this.send(message);
    } catch (error) {
      if (error instanceof ApiError) return failedTool(id, error.code, error.message);
      if (error instanceof CliError) return failedTool(id, 'invalid_input', error.message);
      throw error;
    }
  }
}

function parsed(line: string): Message | null {
  try {
    const message = JSON.parse(line) as unknown;
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : null;
  } catch {
    return null;
  }
}

/** Shows the upload of this machine instead of that of the service, if the service lists one. */
function withLocalUpload(answer: Message | null): Message | null {
  const tools = answer?.result?.['tools'];
  if (!Array.isArray(tools)) return answer;
  const shown = (tools as readonly { readonly name: string }[]).map((tool) =>
    tool.name === UPLOAD_TOOL ? { ...tool, ...LOCAL_UPLOAD_TOOL } : tool,
  );
  return { ...answer, result: { ...answer?.result, tools: shown } };
}
