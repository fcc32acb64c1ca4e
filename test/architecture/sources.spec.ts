import { executionAsyncId } from 'node:async_hooks';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

const files = ['src', 'migrations', 'packages', 'scripts', 'test']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
  )
  .filter((file) => !/^packages\/[^/]+\/(dist|node_modules)\//.test(file))
  // A gem has the folders and names of Ruby.
  .filter((file) => !file.startsWith('packages/fastlane/'))
  .sort();
const isText = (file: string): boolean => /\.(tsx?|cjs|mjs|js|css|eta|html|svg|json|md)$/.test(file);

describe('the sources', () => {
  // Split, so that this file does not match itself.
  const unfinished = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].map((word) => `\\b${word}\\b`).join('|'));

  // red when: a file contains one of the words
  it('contain no unfinished work', () => {
    expect(files.filter(isText).filter((file) => unfinished.test(readFileSync(path.join(root, file), 'utf8')))).toEqual(
      [],
    );
  });

  // red when: a folder src/infra/utils exists
  it('have no folders with vague names', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|shared|lib|core)(\/|\.ts$)/;
    expect(files.filter((file) => vague.test(file))).toEqual([]);
  });

  it('have names in kebab-case', () => {
    const isKebab = (file: string): boolean =>
      file.split('/').every((part) => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(part));
    const pages = /(^|\/)README\.md$/;
    expect(files.filter((file) => !pages.test(file) && !isKebab(file))).toEqual([]);
  });

  it('are TypeScript in src, except scripts for browsers', () => {
    const others = files.filter(
      (file) => file.startsWith('src/') && /\.[cm]?js$/.test(file) && !file.endsWith('.browser.js'),
    );
    expect(others).toEqual([]);
  });

  // red when: range-parser is a dependency but is not imported
  it('import every dependency', () => {
    const { dependencies = {} } = packageOf('.');
    const code = files
      .filter((file) => /^(src|migrations)\/.*\.ts$/.test(file) && !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(path.join(root, file), 'utf8'));
    const isImported = (name: string): boolean =>
      code.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`));
    const libraries = Object.keys(dependencies);
    const peers = new Set(
      libraries.flatMap((name) => Object.keys(packageOf(`node_modules/${name}`).peerDependencies ?? {})),
    );
    expect(libraries.filter((name) => !isImported(name) && !peers.has(name))).toEqual([]);
  });
});

describe('the packages', () => {
  const names = readdirSync(path.join(root, 'packages')).filter((name) =>
    existsSync(path.join(root, 'packages', name, 'package.json')),
  );
  const codeOf = (name: string): readonly string[] =>
    files
      .filter((file) => file.startsWith(`packages/${name}/`) && /\.tsx?$/.test(file))
      .map((file) => readFileSync(path.join(root, file), 'utf8'));

  // red when: uqr is a dependency of packages/dashboard but is not imported
  it.each(names)('%s imports every dependency', (name) => {
    const { dependencies = {}, devDependencies = {} } = packageOf(`packages/${name}`);
    const code = codeOf(name).join('\n');
    const isImported = (library: string): boolean => new RegExp(`['"]${library}(/[^'"]*)?['"]`).test(code);
    const libraries = Object.keys({ ...dependencies, ...devDependencies });
    expect(libraries.filter((library) => !isImported(library.replace(/^@types\//, '')))).toEqual([]);
  });

  // red when: a package has a dependency of the service's image
  it.each(names)('%s has no dependencies but dev dependencies', (name) => {
    expect(packageOf(`packages/${name}`).dependencies ?? {}).toEqual({});
  });

  it('are TypeScript and CSS modules', () => {
    const sources = files.filter((file) => /^packages\/[^/]+\/src\//.test(file));
    const unknown = sources.filter((file) => !/\.(tsx?|css|svg|html)$/.test(file));
    expect(unknown).toEqual([]);
    // Styles of the whole page belong to the primitives.
    const isModule = /\.module\.css$|\/src\/(ui|gallery)\/[^/]+\.css$/;
    expect(sources.filter((file) => file.endsWith('.css') && !isModule.test(file))).toEqual([]);
  });

  // red when: a component sets innerHTML, which the policy of the page rejects
  it('write no markup from text', () => {
    const markup = /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write/;
    const code = files.filter((file) => /^packages\/.*\.tsx?$/.test(file));
    expect(code.filter((file) => markup.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });
});

describe('test files', () => {
  // red when: jest/shared-runtime.cjs gives jest-circus the real AsyncLocalStorage
  it("do not activate Node's promise hooks, which slow down every promise", async () => {
    const ids: number[] = [];
    for (let at = 0; at < 3; at++) {
      await Promise.resolve();
      ids.push(executionAsyncId());
    }
    expect(new Set(ids).size).toBe(1);
  });
});

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const packageOf = (folder: string): Package =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Package;
