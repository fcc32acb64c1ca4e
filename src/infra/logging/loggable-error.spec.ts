import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originalFrames } from './loggable-error';

describe('originalFrames', () => {
  let folder: string;
  let bundle: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agate-frames-'));
    bundle = join(folder, 'service.js');
    const runs = [
      [10, 0, 3],
      [20, 1, 1],
    ];
    writeFileSync(`${bundle}.lines.json`, JSON.stringify({ files: ['src/a.js', '../b.js'], runs }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  // red when: the search finds the run after the line, or the file is not resolved from the folder of the bundle
  it.each([
    [10, 'src/a.js:3'],
    [19, 'src/a.js:12'],
    [20, '../b.js:1'],
    [25, '../b.js:6'],
  ])('names the file and line that line %i of the bundle was built from', (line, place) => {
    expect(originalFrames(`    at run (${bundle}:${line}:7)`)).toBe(`    at run (${join(folder, place)})`);
  });

  it('keeps frames of other files, of the first lines of the bundle, and of a bundle without lines', () => {
    const frames = [
      '    at node:internal/timers:5:1',
      `    at ${bundle}:9:1`,
      `    at f (${folder}/other.js:10:1)`,
      `    at ${folder}/elsewhere/service.js:10:1`,
    ].join('\n');
    expect(originalFrames(frames)).toBe(frames);
  });
});
