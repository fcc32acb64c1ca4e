/** Connecting an agent to a project. */
export const agents = {
  title: 'Connect an agent',
  text: 'Claude, Codex, VS Code and other agents can read this project through the MCP server. The token for it cannot change anything.',
  name: 'Name',
  nameHint: 'Which agent will use it. “Last used” in the list tells whether it does.',
  suggestion: 'Agent',
  create: 'Create read-only token',
  secret: {
    title: 'Copy the token of your agent now',
    text: 'This is the only time that it is shown. Store it as the variable AGATE_TOKEN, then add the service to your agent.',
    label: 'Token',
    copy: 'Copy token',
    kept: 'I have kept it',
    done: 'Done',
    reason: 'Copy the token first, or tick “I have kept it”',
  },
  names: { claude: 'Claude Code', codex: '~/.codex/config.toml', vscode: '.vscode/mcp.json (asks for the token)' },
  copies: { claude: 'Copy command', codex: 'Copy TOML', vscode: 'Copy JSON' },
};
