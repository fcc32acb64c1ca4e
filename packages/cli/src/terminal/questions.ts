import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Context } from '../context';
import { interruptedError, usageError } from '../output/cli-error';
import { visible } from '../output/visible';

/**
 * Asks a person for a line of text. The question goes to standard error.
 * @returns the answer without spaces around it, or `fallback` when it is empty.
 * @throws CliError when the input ends or the process is interrupted.
 */
export async function ask(context: Context, question: string, fallback = ''): Promise<string> {
  const { stdin, stderr } = context.process;
  const lines = createInterface({ input: stdin, output: stderr as unknown as NodeJS.WritableStream });
  try {
    const hint = fallback === '' ? '' : ` [${fallback}]`;
    const ended = new Promise<never>((_resolve, reject) => lines.once('close', () => reject(interruptedError())));
    const answer = await Promise.race([
      lines.question(visible(`${question}${hint} `), { signal: context.signal }),
      ended,
    ]);
    return answer.trim() || fallback;
  } catch (error) {
    throw context.signal.aborted ? interruptedError() : error;
  } finally {
    lines.close();
  }
}

/** Asks a person to choose one of several options. @returns its index; `choices.length` when they choose `another`. */
export async function choose(
  context: Context,
  question: string,
  choices: readonly string[],
  another?: string,
): Promise<number> {
  const all = another === undefined ? choices : [...choices, another];
  context.output.say(question);
  for (const [index, choice] of all.entries()) context.output.say(`  ${index + 1}  ${choice}`);
  for (;;) {
    const number = Number(await ask(context, 'Number:', '1'));
    if (Number.isInteger(number) && number >= 1 && number <= all.length) return number - 1;
    context.output.say(`Enter a number from 1 to ${all.length}.`);
  }
}

/**
 * Asks a person to confirm an action that cannot be undone.
 * @param yes whether `--yes` was given, which confirms it.
 * @throws CliError when it is refused, or when no person can be asked.
 */
export async function confirm(context: Context, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!context.isInteractive) throw usageError(`${question} Repeat the command with --yes.`);
  if (!(await agrees(context, question))) throw interruptedError('Nothing was changed.');
}

/** Asks a person a question whose default answer is no. */
export async function agrees(context: Context, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(context, `${question} [y/N]`));
}

/** Asks a person for a secret, which the terminal does not show. @throws CliError when the input ends or the process is interrupted. */
export async function askSecret(context: Context, question: string): Promise<string> {
  const { stdin, stderr } = context.process;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  stderr.write(`${question} `);
  try {
    const ended = new Promise<never>((_resolve, reject) => lines.once('close', () => reject(interruptedError())));
    return await Promise.race([lines.question('', { signal: context.signal }), ended]);
  } catch (error) {
    throw context.signal.aborted ? interruptedError() : error;
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
