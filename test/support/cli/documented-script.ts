import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';

const ROOT = path.join(__dirname, '../../..');

/** The code blocks of a page of docs/ci in one language, without the fences. */
export const blocksOf = (page: string, language: string): string[] => blocksIn(`docs/ci/${page}`, language);

/** The code blocks of a page in one language, also those within lists, without the fences. */
export function blocksIn(page: string, language: string): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, code]) => code ?? '',
  );
}

/** A value within a YAML document, such as `['steps', 0, 'script']`. A list of lines is joined to a script. @throws when there is none. */
export function scriptIn(yaml: string, ...place: readonly (string | number)[]): string {
  let value: unknown = load(yaml);
  for (const key of place) value = (value as Record<string | number, unknown> | undefined)?.[key];
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value !== 'string') throw new Error(`There is no script at ${place.join('.')}.`);
  return value;
}
