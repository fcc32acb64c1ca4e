import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { generatedFiles } from '../../scripts/reference/generated-files';

const root = path.resolve(__dirname, '../..');

// red when: a route, an error, a variable, an event or a module changes without `npm run generate`
it('the generated files are up to date', async () => {
  const files = await generatedFiles();
  const onDisk = await Promise.all(
    [...files.keys()].map(
      async (file) => [file, await readFile(path.join(root, file), 'utf8').catch(() => null)] as const,
    ),
  );
  const stale = onDisk.filter(([file, content]) => files.get(file) !== content).map(([file]) => file);
  expect({ 'stale; run npm run generate': stale }).toEqual({ 'stale; run npm run generate': [] });
});

it('the generator is deterministic', async () => {
  expect([...(await generatedFiles())]).toEqual([...(await generatedFiles())]);
});
