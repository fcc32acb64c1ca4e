/** The configuration of an agent. */
export interface AgentSnippet {
  readonly agent: 'claude' | 'codex' | 'vscode' | 'other';
  readonly text: string;
}

/** @param address the address of the service. */
export const mcpAddress = (address: string): string => `${address}/mcp`;

/**
 * The texts that connect agents to the MCP server of a service, without a token.
 *
 * @param version the version of the service, which the address of its command line contains.
 */
export function agentSnippets(address: string, version: string): readonly AgentSnippet[] {
  const url = mcpAddress(address);
  const inputs = [{ type: 'promptString', id: 'agate-token', description: 'Token of Agate', password: true }];
  const servers = { agate: { type: 'http', url, headers: { Authorization: 'Bearer ${input:agate-token}' } } };
  const agate = {
    command: 'npx',
    args: ['-y', `${address}/cli/agate-${version}.tgz`, 'mcp'],
    env: { AGATE_URL: address, AGATE_TOKEN: 'ag_prj_…' },
  };
  return [
    {
      agent: 'claude',
      text: `claude mcp add --transport http agate ${url} --header "Authorization: Bearer $AGATE_TOKEN"`,
    },
    { agent: 'codex', text: `[mcp_servers.agate]\nurl = "${url}"\nbearer_token_env_var = "AGATE_TOKEN"` },
    { agent: 'vscode', text: indented({ inputs, servers }) },
    { agent: 'other', text: indented({ mcpServers: { agate } }) },
  ];
}

const indented = (value: object): string => JSON.stringify(value, null, 2);
