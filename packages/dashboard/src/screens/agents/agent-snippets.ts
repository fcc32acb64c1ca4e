/** The agents whose configuration is shown. `other`: any that starts a program and speaks with it on standard input and output. */
export const AGENTS = ['claude', 'codex', 'vscode', 'other'] as const;
export type AgentName = (typeof AGENTS)[number];

/** @param address the address of the service. */
export const mcpAddress = (address: string): string => `${address}/mcp`;

/**
 * The texts that connect agents to the MCP server of a service, without a token.
 *
 * @param version the version of the service, which the address of its command line contains.
 */
export function agentSnippets(address: string, version: string): Readonly<Record<AgentName, string>> {
  const url = mcpAddress(address);
  const inputs = [{ type: 'promptString', id: 'agate-token', description: 'Token of Agate', password: true }];
  const servers = { agate: { type: 'http', url, headers: { Authorization: 'Bearer ${input:agate-token}' } } };
  const agate = {
    command: 'npx',
    args: ['-y', `${address}/cli/agate-${version}.tgz`, 'mcp'],
    env: { AGATE_URL: address, AGATE_TOKEN: 'ag_prj_…' },
  };
  return {
    claude: `claude mcp add --transport http agate ${url} --header "Authorization: Bearer $AGATE_TOKEN"`,
    codex: `[mcp_servers.agate]\nurl = "${url}"\nbearer_token_env_var = "AGATE_TOKEN"`,
    vscode: indented({ inputs, servers }),
    other: indented({ mcpServers: { agate } }),
  };
}

const indented = (value: object): string => JSON.stringify(value, null, 2);
