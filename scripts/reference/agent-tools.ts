import { toListedTool } from '#app/mcp/mcp-endpoint';
import { type AgentTool } from '#app/mcp/tools/tool';
import { ALL_TOOLS } from '#app/mcp/tools/tools';
import { code, page, table } from './markdown';

const INTRO =
  'The tools of the [MCP server](../agents.md) as agents see them. Their texts are part of the contract: agents choose by them.';

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
}

export const agentToolsPage = (): string => page('Tools for agents', INTRO, ...ALL_TOOLS.map(sectionOf));

function sectionOf(tool: AgentTool): string {
  const { name, title, description, inputSchema, annotations } = toListedTool(tool);
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Readonly<Record<string, Property>>;
    required?: readonly string[];
  };
  const hints = Object.entries(annotations).flatMap(([hint, value]) => (value === true ? [code(hint)] : []));
  const facts = [`Toolset ${code(tool.toolset)}`, needsOf(tool), ...hints].join('; ');
  const rows = Object.entries(properties).map(([field, { type, description: text, default: preset, enum: values }]) => [
    code(field),
    values ? values.map(code).join(', ') : (type ?? ''),
    required.includes(field) && preset === undefined ? 'yes' : '',
    [text, preset !== undefined && `Default: ${code(JSON.stringify(preset))}.`].filter(Boolean).join(' '),
  ]);
  const fields = rows.length > 0 ? table(['argument', 'type', 'required', 'meaning'], rows) : 'No arguments.';
  return [`## ${name}`, `**${title}.** ${description}`, `${facts}.`, fields].join('\n\n');
}

function needsOf({ needs }: AgentTool): string {
  if (needs === undefined) return 'every token';
  const role = needs.role === null ? 'no project access token' : `a project access token with ${code(needs.role)}`;
  return `a personal access token with ${code(needs.scope)}, or ${role}`.replace(', or no', ', no');
}
