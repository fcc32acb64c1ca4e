import { type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import { ERROR_CATALOGUE } from '#kernel/errors/catalogue';
import { type Logger } from '#infra/logging/logger';
import { type AgentApi, ApiError, type ApiErrorBody, validationError } from './agent-api';
import { bounded, fits } from './answers/bounded';
import { cleaned, messageOf, OwnText, separated } from './answers/untrusted';
import { type Confirmations } from './confirmations';
import { type AgentTool, type Answer } from './tools/tool';

/** How the person behind an agent confirms a call. */
export interface Confirming {
  /** The confirmation of the person whom the client asked before this call. Undefined when it did not ask. */
  readonly confirmed: () => string | undefined;
  /** Lets the client ask the person itself. Undefined when it cannot. */
  readonly ask?: (message: string, confirmation: string) => InputRequiredResult;
}

type Input = Readonly<Record<string, unknown>>;

/** The longest description of a change in a question to a person. */
const MAX_QUESTION_BYTES = 1500;

/** Runs tools: validates arguments, demands confirmations, and turns answers and errors into bounded results. */
export class ToolCalls {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly logger: Logger,
  ) {}

  async call(
    tool: AgentTool,
    api: AgentApi,
    sent: Input,
    confirming: Confirming,
  ): Promise<CallToolResult | InputRequiredResult> {
    try {
      const { confirmation, ...input } = parsed(tool, sent) as Input & { confirmation?: string };
      if (!tool.preview) return await this.run(tool, api, input);
      const given = confirming.confirmed() ?? confirmation;
      const call = { tool: tool.name, input, credential: api.credential };
      if (given !== undefined) return await this.run(tool, api, input, this.confirmations.check(given, call));
      const preview = await tool.preview(api, input);
      if (preview === null) return await this.run(tool, api, input);
      return question(tool, preview, this.confirmations.issue(call), confirming);
    } catch (error) {
      return toResult(
        errorAnswer(error, (cause) => this.logger.error({ err: cause, tool: tool.name }, 'tool failed')),
        true,
      );
    }
  }

  /** Requests fewer items when a page does not fit, so that its cursor stays right. */
  private async run(tool: AgentTool, api: AgentApi, input: Input, key?: string): Promise<CallToolResult> {
    const showAddresses = tool.showsAddresses?.(input, api.credential) ?? false;
    for (let limit = input['limit']; ; limit = Math.floor(limit / 2)) {
      const answer = await tool.run(api, limit === undefined ? input : { ...input, limit }, key);
      const shown = separated(answer, { showAddresses }) as Answer;
      if (typeof limit !== 'number' || limit <= 1 || fits(shown)) return toResult(bounded(shown));
    }
  }
}

/** @throws ApiError validation_error */
function parsed(tool: AgentTool, sent: Input): Input {
  const { success, data, error } = tool.input.safeParse(sent);
  if (success) return data;
  const [issue] = error.issues;
  throw validationError(issue?.path.join('.') ?? '', issue?.message ?? 'is not valid');
}

function question(
  tool: AgentTool,
  preview: Answer,
  confirmation: string,
  { ask }: Confirming,
): CallToolResult | InputRequiredResult {
  const shown = separated(preview) as Answer;
  if (ask) return ask(`${tool.title}? ${cleaned(JSON.stringify(shown), MAX_QUESTION_BYTES)}`, confirmation);
  return toResult({
    done: false,
    would: bounded(shown),
    confirmation,
    next: 'Nothing has happened yet. Show `would` to the person. If they agree, call again with the same arguments and this confirmation, within five minutes.',
  });
}

function errorAnswer(error: unknown, log: (cause: unknown) => void): Answer {
  if (error instanceof ApiError) return shownError(error.body);
  log(error);
  const { code, message } = ERROR_CATALOGUE.internal_error;
  return shownError({ error: code, message, details: {} });
}

const shownError = ({ error, message, details }: ApiErrorBody): Answer =>
  bounded(separated({ error: new OwnText(error), message: messageOf({ message, details }), details }) as Answer);

export const toResult = (answer: Answer, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
  ...(isError && { isError: true }),
});
