import { type AgateCli, type CliResult, type CliRunOptions } from './agate-cli';

/** A question, as a part of it, and the answer of a person. */
export type Answer = readonly [question: string, answer: string];

/** Runs the command line in what looks like a terminal, and answers its questions in their order. */
export function converse(
  cli: AgateCli,
  args: readonly string[],
  answers: readonly Answer[],
  options: CliRunOptions = {},
): Promise<CliResult> {
  const run = cli.start(args, { ...options, isTerminal: true });
  const left = [...answers];
  let read = 0;
  run.child.stderr!.on('data', () => {
    const [question, answer] = left[0] ?? [];
    if (question === undefined) return;
    const at = run.stderr().indexOf(question, read);
    if (at < 0) return;
    read = at + question.length;
    left.shift();
    run.child.stdin!.write(`${answer}\n`);
  });
  return run.ended;
}
