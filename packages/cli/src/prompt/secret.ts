import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Context } from '../context';
import { interruptedError } from '../output/cli-error';

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
