import { runAction } from './run-action';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());

const code = await runAction(process, interruption.signal);
// On Windows, writes to a pipe are asynchronous, and idle connections would keep the process alive.
for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('', resolve));
process.exit(code);
