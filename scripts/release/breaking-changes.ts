import { apiCompare, type Diff } from 'api-smart-diff';

/** Lists the changes from `before` to `after` (OpenAPI 3.1 documents) that break existing clients, one line each. */
export function breakingChanges(before: object, after: object): string[] {
  const { diffs } = apiCompare(before, after);
  // Components are compared where operations refer to them.
  return diffs.filter((diff) => diff.path[0] !== 'components' && isBreaking(diff)).map(describe);
}

/** The library's judgement, corrected in four cases. */
function isBreaking({ type, action, path, before, after }: Diff): boolean {
  const [, , , part, status] = path;
  const isResponse = part === 'responses';
  // Clients handle errors by their code, so a removed error does not break them.
  if (isResponse && action === 'remove' && path.length === 5 && Number(status) >= 400) return false;
  // Unknown fields are rejected, so clients that still send a removed field would fail.
  if (part === 'requestBody' && action === 'remove' && path.at(-2) === 'properties') return true;
  if (path.at(-1) === 'type' && action === 'replace') {
    return isResponse ? !covers(before, after) : !covers(after, before);
  }
  // Clients must accept new enum values in responses. A removed value may be one that they send or wait for.
  if (path.at(-2) === 'enum') return action === 'remove';
  return type === 'breaking';
}

const covers = (wide: unknown, narrow: unknown): boolean =>
  [narrow].flat().every((type) => [wide].flat().includes(type));

function describe({ action, path }: Diff): string {
  const [area, ...rest] = path.map(String);
  if (area !== 'paths') return `${action} ${[area, ...rest].join(' › ')}`;
  const [template = '', method, ...inside] = rest;
  return `${method?.toUpperCase() ?? ''} ${template}: ${[action, ...inside].join(' › ')}`.trimStart();
}
