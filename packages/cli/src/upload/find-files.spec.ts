import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderSource } from '../imports/folder/read-folder';
import { EMPTY_BUILD } from '../imports/plan/import-plan';
import { findFiles } from './find-files';

describe('The files of a folder', () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'agate-files-')));
    folder = join(root, 'repository/out');
    mkdirSync(join(folder, 'universal'), { recursive: true });
    writeFileSync(join(root, 'key'), 'secret');
    writeFileSync(join(folder, 'universal/app.apk'), 'app');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const outputs = (...outputFiles: string[]): void =>
    writeFileSync(
      join(folder, 'output-metadata.json'),
      JSON.stringify({ elements: outputFiles.map((outputFile) => ({ outputFile })) }),
    );
  const found = (): string[] => findFiles(['out'], join(root, 'repository')).map(({ path }) => path);
  const imported = (file: string): Promise<string> =>
    new FolderSource(folder).use({ ...EMPTY_BUILD, file }, ({ path }) => Promise.resolve(path));

  it('are those of output-metadata.json, also in folders below', () => {
    outputs('universal/app.apk');
    expect(found()).toEqual([join(folder, 'universal/app.apk')]);
  });

  // red when: `filesAt` does not call `rejectOutside`.
  it.each(['../../key', '/etc/hostname'])('do not include %s, which output-metadata.json names', (file) => {
    outputs(file);
    expect(found).toThrow('leads out of');
  });

  it('do not include the target of a symbolic link out of the folder', async () => {
    symlinkSync(join(root, 'key'), join(folder, 'app.apk'));
    expect(found).toThrow('leads out of');
    // red when: `FolderSource.use` does not call `rejectOutside`.
    await expect((async () => imported('app.apk'))()).rejects.toThrow('leads out of');
  });

  it('include the target of a symbolic link within the folder', async () => {
    symlinkSync('universal/app.apk', join(folder, 'app.apk'));
    expect(found()).toEqual([join(folder, 'app.apk')]);
    await expect(imported('app.apk')).resolves.toBe(join(folder, 'app.apk'));
  });

  it('may be chosen by the user through a link to the folder', () => {
    symlinkSync(folder, join(root, 'repository/link'));
    outputs('universal/app.apk');
    expect(findFiles(['link'], join(root, 'repository'))).toMatchObject([{ name: 'app.apk' }]);
  });
});
