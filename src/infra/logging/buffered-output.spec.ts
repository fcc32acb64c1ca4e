import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { bufferedOutput } from './buffered-output';
import { Logger } from './logger';

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

  it('writes all lines in their order: those of requests together, every other one at once', async () => {
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
