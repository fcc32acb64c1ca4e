import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const FOLDER = path.resolve(__dirname, '../../migrations');

/** SHA-256 of the tokens of every migration, keyed by file name. A changed comment keeps the digest, a changed statement does not. */
export const digestsOfMigrations = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(FOLDER)
      .sort()
      .map((file) => [file, digestOf(readFileSync(path.join(FOLDER, file), 'utf8'))]),
  );

function digestOf(text: string): string {
  const source = ts.createSourceFile('migration.ts', text, ts.ScriptTarget.Latest, true);
  const digest = createHash('sha256');
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    if (node.getChildCount(source) === 0) digest.update(`${node.getText(source)}\n`);
    else node.getChildren(source).forEach(visit);
  };
  visit(source);
  return digest.digest('hex');
}
