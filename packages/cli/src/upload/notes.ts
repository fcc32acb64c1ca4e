import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Context } from '../context';
import { usageError } from '../output/cli-error';
import { withoutControls } from '../output/visible';

/** The longest notes that the service accepts, in UTF-16 units. */
const MAX_NOTES = 5_000;

export interface NotesOptions {
  readonly notes?: string;
  readonly notesFile?: string;
  readonly notesFromGit?: boolean;
}

/**
 * The notes that the options give; undefined without any. Control characters are left out, and longer notes are cut, with a warning.
 * @param fromGit reads the messages of commits.
 * @throws CliError when the file cannot be read.
 */
export async function notesOf(
  context: Context,
  { notes, notesFile, notesFromGit }: NotesOptions,
  fromGit: () => Promise<string | null>,
): Promise<string | undefined> {
  const text =
    notes ?? (notesFile !== undefined ? await contentOf(context, notesFile) : notesFromGit ? await fromGit() : null);
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  const clean = withoutControls(trimmed);
  if (clean !== trimmed) context.output.warn('The notes contain control characters, which are left out.');
  const cut = cutNotes(clean);
  if (cut !== clean)
    context.output.warn(`The notes have ${[...clean].length} characters. They are cut to ${MAX_NOTES}.`);
  return cut || undefined;
}

/** The longest start that the service accepts. It rejects half of a character. */
export const cutNotes = (notes: string): string =>
  notes.length <= MAX_NOTES ? notes : notes.slice(0, MAX_NOTES).replace(/[\ud800-\udbff]$/, '');

async function contentOf({ process }: Context, file: string): Promise<string> {
  if (file === '-') return textOf(process.stdin);
  try {
    return readFileSync(resolve(process.cwd, file), 'utf8');
  } catch (error) {
    throw usageError(`The notes cannot be read: ${(error as Error).message}`);
  }
}

/** All text that a stream delivers. */
export async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}
