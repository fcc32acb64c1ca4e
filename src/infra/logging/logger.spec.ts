import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { AppError } from '#kernel/errors/app-error';
import { loadConfig } from '#infra/config/load-config';
import { bufferedOutput, createLogger, Logger } from './logger';

/** Errors of a real database are in test/integration/audit/error-log.spec.ts. */
describe('an error in the log', () => {
  let lines: string[];
  let logger: Logger;
  beforeEach(() => {
    lines = [];
    const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) });
    logger = createLogger(loadConfig({ NODE_ENV: 'test' }), sink);
  });

  const lineOf = (thrown: unknown): Record<string, unknown> => {
    logger.error({ err: thrown }, 'failed');
    return JSON.parse(lines.at(-1)!) as Record<string, unknown>;
  };

  // red when: every property of the error is logged
  it('contains the known fields and no other property', () => {
    const error = Object.assign(new Error('No answer.'), {
      ...{ code: 'ECONNRESET', syscall: 'read', status: 503 },
      ...{ config: { secret: 'planted' }, parameters: ['planted'], email: 'planted', detail: 'planted', client: {} },
    });
    expect(lineOf(error)['err']).toEqual({
      ...{ type: 'Error', message: 'No answer.', code: 'ECONNRESET', syscall: 'read', status: 503 },
      stack: expect.stringMatching(/^ {4}at .*logger\.spec/) as string,
    });
  });

  // red when: a field with any text is logged
  it('omits a known field whose value is not a short word', () => {
    const error = Object.assign(new Error('x'), { code: 'planted@example.com', command: { args: ['planted'] } });
    expect(lineOf(error)['err']).not.toHaveProperty('code');
    expect(lines.join()).not.toContain('planted');
  });

  // red when: the stack is logged with its first lines, which repeat the message
  it('has a stack without the message, in every form of message', () => {
    const error = new Error('of ann@example.com\n    at planted@example.com (a.ts:1:1)');
    const { err } = lineOf(error) as { err: { message: string; stack: string } };
    expect(err.message).toContain('of [email]');
    expect(err.stack).not.toContain('a.ts');
    expect(lines.join()).not.toContain('example.com');
  });

  it('masks tokens and e-mail addresses in messages', () => {
    const token = `ag_pat_${'x'.repeat(49)}`;
    expect(lineOf(new Error(`no ${token} of <ann@example.com>`))['err']).toMatchObject({
      message: 'no ag_[redacted] of <[email]>',
    });
  });

  it('contains the causes, also of an AggregateError', () => {
    const deep = Object.assign(new Error('deep'), { detail: 'planted' });
    const many = new AggregateError([new Error('one'), 'two', { planted: true }], 'many', { cause: deep });
    const thrown = new AppError('internal_error', { cause: many });
    expect(lineOf(thrown)['err']).toMatchObject({
      type: 'AppError',
      errorCase: 'internal_error',
      cause: {
        ...{ type: 'AggregateError', message: 'many', cause: { message: 'deep' } },
        errors: [{ message: 'one' }, 'two', 'thrown: object'],
      },
    });
    expect(lines.join()).not.toContain('planted');
  });

  it('ends when an error is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(lineOf(error)).toMatchObject({ err: { cause: { cause: { message: 'round' } } } });
  });

  it('is serialized under every field name and when Nest passes only the error', () => {
    const error = Object.assign(new Error('for ann@example.com'), { detail: 'planted' });
    logger.warn({ reason: error }, 'failed');
    logger.error(error);
    logger.error({ err: error });
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['failed', 'for [email]', '']);
    expect(lines.join()).not.toMatch(/planted|example\.com/);
  });

  it.each([
    ['text', 'text'],
    [{ a: 'planted' }, 'thrown: object'],
    [7, 'thrown: number'],
  ])('may be %j', (thrown, told) => {
    expect(lineOf(thrown)['err']).toBe(told);
  });
});

describe('a buffered log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agate-log-'));
  const path = join(folder, 'log');
  const file = openSync(path, 'a');
  const output = bufferedOutput(file);
  const logger = new Logger(pino({ base: null, timestamp: false }, output));
  const lines = (): string[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  afterAll(() => {
    output.destroy();
    rmSync(folder, { recursive: true });
  });

  it('writes all lines in their order: lines of requests together, other lines immediately', async () => {
    logger.request('info', {}, 'first');
    expect(lines()).toEqual([]);
    logger.info({}, 'second');
    expect(lines()).toEqual(['first', 'second']);
    logger.request('info', {}, 'third');
    logger.request('warn', {}, 'fourth');
    expect(lines()).toEqual(['first', 'second', 'third', 'fourth']);
    logger.request('info', {}, 'fifth');
    logger.error({ err: new Error('x') }, 'sixth');
    expect(lines().slice(4)).toEqual(['fifth', 'sixth']);
    logger.request('info', {}, 'seventh');
    while (lines().length < 7) await new Promise((resolve) => setTimeout(resolve, 20));
    logger.request('info', {}, 'eighth');
    output.flushSync();
    expect(lines().slice(6)).toEqual(['seventh', 'eighth']);
  });
});

// red when: the exit waits until the last lines are written, as the library's flushSync does
it('does not keep a process whose log has no reader from exiting', async () => {
  const script = `
    const output = require(${JSON.stringify(join(__dirname, 'logger.ts'))}).bufferedOutput(1);
    process.stdin.once('end', () => { output.write('unwritten'); process.exit(7); }).resume();`;
  const preload = resolve(__dirname, '../../../test/support/processes/run-typescript.cjs');
  const child = spawn(process.execPath, ['--require', preload, '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout.destroy();
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([7, null]);
});
