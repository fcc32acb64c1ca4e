import { type CommitResponse } from '@agate/client';

export const MAX_NOTES = 5000;

/**
 * The notes with the subjects of commits, one per line, below the text that is there. Subjects for which there is no more room are left out,
 * and so are those that the text contains already.
 */
export function proposedNotes(text: string, commits: readonly CommitResponse[]): string {
  const typed = text.trimEnd();
  const known = new Set(typed.split('\n'));
  const lines = commits.filter(({ subject }) => subject !== '').map(({ subject }) => `• ${subject}`);
  let notes = typed;
  for (const line of new Set(lines)) {
    if (known.has(line)) continue;
    const separator = notes === '' ? '' : notes === typed ? '\n\n' : '\n';
    if (notes.length + separator.length + line.length > MAX_NOTES) break;
    notes += separator + line;
  }
  return notes === typed ? text : notes;
}
