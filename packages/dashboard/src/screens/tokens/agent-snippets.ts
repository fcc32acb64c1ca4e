/** The configuration of an agent, with the token in the variable `AGATE_TOKEN`. */
export interface AgentSnippet {
  readonly agent: 'claude' | 'codex' | 'vscode';
  readonly text: string;
}

/** What the agents need to reach the MCP server of a service. */
export function agentSnippets(origin: string): readonly AgentSnippet[] {
  const url = `${origin}/mcp`;
  const inputs = [{ type: 'promptString', id: 'agate-token', description: 'Token of Agate', password: true }];
  const servers = { agate: { type: 'http', url, headers: { Authorization: 'Bearer ${input:agate-token}' } } };
  return [
    {
      agent: 'claude',
      text: `claude mcp add --transport http agate ${url} --header "Authorization: Bearer $AGATE_TOKEN"`,
    },
    { agent: 'codex', text: `[mcp_servers.agate]\nurl = "${url}"\nbearer_token_env_var = "AGATE_TOKEN"` },
    { agent: 'vscode', text: `{\n  "inputs": ${JSON.stringify(inputs)},\n  "servers": ${JSON.stringify(servers)}\n}` },
  ];
}
