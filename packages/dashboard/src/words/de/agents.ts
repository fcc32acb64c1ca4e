import { type Words } from '../words';

export const agents: Words['agents'] = {
  title: 'Agenten verbinden',
  text: 'Claude, Codex, VS Code und andere Agenten können dieses Projekt über den MCP-Server lesen. Das Token dafür kann nichts ändern.',
  name: 'Name',
  nameHint: 'Welcher Agent es benutzt. „Zuletzt benutzt“ in der Liste zeigt, ob er es tut.',
  suggestion: 'Agent',
  create: 'Token nur zum Lesen anlegen',
  secret: {
    title: 'Kopieren Sie jetzt das Token Ihres Agenten',
    text: 'Es wird nur dieses eine Mal angezeigt. Legen Sie es als Variable AGATE_TOKEN ab und fügen Sie dann den Dienst Ihrem Agenten hinzu.',
    label: 'Token',
    copy: 'Token kopieren',
    kept: 'Ich habe es aufbewahrt',
    done: 'Fertig',
    reason: 'Kopieren Sie zuerst das Token, oder haken Sie „Ich habe es aufbewahrt“ an',
  },
  names: { claude: 'Claude Code', codex: '~/.codex/config.toml', vscode: '.vscode/mcp.json (fragt nach dem Token)' },
  copies: { claude: 'Befehl kopieren', codex: 'TOML kopieren', vscode: 'JSON kopieren' },
};
