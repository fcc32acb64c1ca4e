import { modules, ranks } from '../../architecture.cjs';
import { codes, page, table } from './markdown';

const INTRO = `The allowed dependencies between modules, from \`architecture.cjs\`. A module exposes only its \`index.ts\`. Arrows point to the
module that is used. There are no cycles, so a module can be understood without the modules above it.`;

export function modulesPage(): string {
  const rank = ranks();
  const names = Object.keys(modules).sort(
    (a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || a.localeCompare(b, 'en'),
  );
  const usedBy = (name: string): string[] => names.filter((other) => modules[other]?.includes(name));
  const arrows = names.flatMap((name) => (modules[name] ?? []).map((used) => `  ${name} --> ${used}`));
  const rows = names.map((name) => [name, String(rank.get(name)), codes(modules[name] ?? []), codes(usedBy(name))]);
  return page(
    'Modules',
    INTRO,
    ['```mermaid', 'graph TD', ...names.map((name) => `  ${name}`), ...arrows, '```'].join('\n'),
    table(['module', 'rank', 'uses', 'used by'], rows),
  );
}
