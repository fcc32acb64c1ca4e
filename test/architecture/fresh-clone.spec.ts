import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

describe('a clone without packages', () => {
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(path.join(tmpdir(), 'agate-clone-'));
    for (const name of ['scripts', 'package.json', 'package-lock.json'])
      cpSync(path.join(ROOT, name), path.join(clone, name), { recursive: true });
    mkdirSync(path.join(clone, 'src'));
  });
  afterAll(() => rmSync(clone, { recursive: true }));

  // red when: the build starts without its packages, and the error is a stack with ERR_MODULE_NOT_FOUND
  it.each([['start.mjs'], ['operator.mjs', 'setup'], ['build.mjs']])(
    'says for scripts/%s that npm ci is missing',
    (...args) => {
      const [script = '', ...words] = args;
      const { status, stderr } = spawnSync(process.execPath, [path.join(clone, 'scripts', script), ...words], {
        encoding: 'utf8',
      });
      expect(stderr).toMatch(/^The packages of package-lock\.json are not installed\. Run "npm ci" first\.$/m);
      expect(stderr).not.toContain('    at ');
      expect(status).toBe(1);
    },
  );
});
