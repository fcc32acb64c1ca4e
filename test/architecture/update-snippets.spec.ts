import { readFileSync } from 'node:fs';
import path from 'node:path';
import plist from 'plist';
import ts from 'typescript';
import { FRAMEWORKS } from '../../packages/dashboard/src/parts/updates/update-snippets';

const ROOT = path.resolve(__dirname, '../..');
const URL_OF_KEY = 'https://install.example.com/updates/ag_upd_…';

/** The parts of the platform and of libraries that are not installed here which the React Native snippet uses. */
const STUBS = `
declare function fetch(url: string): Promise<{ readonly ok: boolean; json(): Promise<any> }>;
declare class URLSearchParams {
  constructor(parameters: Readonly<Record<string, string>>);
  toString(): string;
}
declare module 'react-native-device-info' {
  const info: { getVersion(): string; getBuildNumber(): string };
  export default info;
}
declare module 'react-native' {
  export const Linking: { openURL(url: string): Promise<unknown> };
}
`;

interface Block {
  readonly language: string;
  readonly code: string;
}

const blocks = (): readonly Block[] => {
  const text = readFileSync(path.join(ROOT, 'docs/updates.md'), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }));
};
const of = (language: string): readonly string[] =>
  blocks()
    .filter((block) => block.language === language)
    .map(({ code }) => code);

/** The errors of a TypeScript module that is checked strictly with the stubs. */
function typeErrors(code: string): readonly string[] {
  const sources = new Map([
    ['/snippet.ts', code],
    ['/stubs.d.ts', STUBS],
  ]);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => sources.has(file) || disk.fileExists(file),
    getSourceFile: (file, target) => {
      const source = sources.get(file);
      return source === undefined ? disk.getSourceFile(file, target) : ts.createSourceFile(file, source, target, true);
    },
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const syntaxErrors = (code: string): readonly string[] =>
  (ts.transpileModule(code, { reportDiagnostics: true }).diagnostics ?? []).map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );

describe('the code for updates in the documentation', () => {
  const all = Object.entries(FRAMEWORKS).flatMap(([platform, frameworks]) =>
    frameworks.map(({ label, code }) => [`${label} on ${platform}`, code] as const),
  );

  // red when: the code of the dashboard is changed, and the documentation is not
  it.each(all)("equals the dashboard's code: %s", (_name, code) => {
    expect(blocks().map((block) => block.code)).toContain(code(URL_OF_KEY));
  });

  it('has correct types in TypeScript', () => {
    expect(of('ts').length).toBeGreaterThan(0);
    expect(of('ts').flatMap(typeErrors)).toEqual([]);
    expect(typeErrors(of('ts')[0]!.replace('getVersion()', 'getVersionn()'))).not.toEqual([]);
  });

  it('can be parsed as JavaScript', () => {
    expect(of('js').length).toBeGreaterThan(1);
    expect(of('js').flatMap(syntaxErrors)).toEqual([]);
  });

  it('can be parsed as JSON', () => {
    const parsed = of('json').map((code) => JSON.parse(code) as unknown);
    expect(parsed).toContainEqual({
      plugins: {
        updater: {
          pubkey: '…',
          endpoints: [`${URL_OF_KEY}/tauri/{{target}}/{{arch}}/{{current_version}}`],
        },
      },
    });
  });

  it('can be parsed as a property list', () => {
    const parsed = of('xml').map((code) => plist.parse(`<plist version="1.0"><dict>${code}</dict></plist>`));
    expect(parsed).toEqual([{ SUFeedURL: `${URL_OF_KEY}/appcast.xml` }]);
  });
});
