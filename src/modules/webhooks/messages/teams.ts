import { type ChatMessage } from './chat-message';

/** Lines of notes in a card. Each is an element, and a message has to stay below 21 kB. */
const NOTES_LINES = 40;

/** Runs of text are not read as Markdown. The invisible space protects clients that do it nevertheless. */
const escape = (text: string): string => text.replaceAll('](', ']\u200b(');

const textBlock = (runs: readonly object[], more: object = {}): object => ({
  type: 'RichTextBlock',
  inlines: runs,
  ...more,
});

const run = (text: string, more: object = {}): object => ({ type: 'TextRun', text: escape(text), ...more });

/** The message of a workflow of Microsoft Teams that starts when a webhook request is received: an adaptive card. */
export function teamsMessage({ title, facts, notes, buttons, origin, isWarning }: ChatMessage): object {
  const color = isWarning ? { color: 'Warning' } : {};
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      textBlock([run(title, { size: 'Medium', weight: 'Bolder', ...color })]),
      ...facts.map(({ label, value }) =>
        textBlock([run(`${label}: `, { weight: 'Bolder' }), run(value)], { spacing: 'Small' }),
      ),
      ...notesOf(notes),
      ...(origin === '' ? [] : [textBlock([run(origin, { size: 'Small', isSubtle: true })])]),
    ],
    ...(buttons.length > 0 && {
      actions: buttons.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
    }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

/** One element for each line: clients show a line break within a run as a space. */
function notesOf(notes: string | null): object[] {
  const lines = (notes ?? '').split('\n');
  const shown = lines.length > NOTES_LINES ? [...lines.slice(0, NOTES_LINES - 1), '…'] : lines;
  return shown.flatMap((line, index) =>
    line === ''
      ? []
      : [textBlock([run(line)], { spacing: index === 0 || shown[index - 1] === '' ? 'Medium' : 'None' })],
  );
}
