import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../../test/support/until';
import { rotateLog } from './server-log';

describe('rotateLog', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agate-log-'));
    file = path.join(folder, 'server.log');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const sizeOf = (name: string): Promise<number> =>
    stat(path.join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    );

  // red when: the file is renamed, so that the server goes on writing into the copy
  it('copies a large log, replaces the previous copy and empties the file that the server keeps open', async () => {
    await writeFile(`${file}.1`, 'before');
    await writeFile(file, 'x'.repeat(10_000_001));
    const { ino } = await stat(file);
    const rotation = rotateLog(file, () => undefined, 5);
    // Ends after some checks of five milliseconds each; jest's timeout bounds it.
    await until(async () => (await sizeOf('server.log')) === 0);
    rotation.stop();
    expect([await sizeOf('server.log.1'), (await stat(file)).ino]).toEqual([10_000_001, ino]);
  });

  it('leaves a small log as it is, and logs a failure', async () => {
    await writeFile(file, 'small');
    const messages: string[] = [];
    const rotation = rotateLog(file, (message) => messages.push(message), 5);
    await sleep(30);
    expect([await readFile(file, 'utf8'), await sizeOf('server.log.1'), messages]).toEqual(['small', 0, []]);
    await rm(file);
    await until(() => messages.length !== 0);
    rotation.stop();
    expect(messages[0]).toContain('cannot be rotated');
  });
});
