import { apiCompare, type Diff } from 'api-smart-diff';

/**
 * What a client written for the API of `before` would stumble over in `after`, each told in a line: what is gone, what is asked
 * for in addition, what may be answered that never was. Both are OpenAPI 3.1 documents.
 */
export function breakingChanges(before: object, after: object): string[] {
  const { diffs } = apiCompare(before, after);
  // A component matters where an operation refers to it, and there it is compared.
  return diffs.filter((diff) => diff.path[0] !== 'components' && isBreaking(diff)).map(tell);
}

/** As the library judges, but for four things it cannot know or gets wrong. */
function isBreaking({ type, action, path, before, after }: Diff): boolean {
  const [, , , part, status] = path;
  const isAnswer = part === 'responses';
  // Clients handle every error by its code: one that does not happen any more disturbs nobody.
  if (isAnswer && action === 'remove' && path.length === 5 && Number(status) >= 400) return false;
  // An unknown field is refused, so whoever goes on sending one that is gone is refused, too.
  if (part === 'requestBody' && action === 'remove' && path.at(-2) === 'properties') return true;
  if (path.at(-1) === 'type' && action === 'replace') {
    return isAnswer ? !covers(before, after) : !covers(after, before);
  }
  // Whoever reads an answer expects values that are new; one that is gone, they may wait for or send.
  if (path.at(-2) === 'enum') return action === 'remove';
  return type === 'breaking';
}

const covers = (wide: unknown, narrow: unknown): boolean =>
  [narrow].flat().every((type) => [wide].flat().includes(type));

function tell({ action, path }: Diff): string {
  const [area, ...rest] = path.map(String);
  if (area !== 'paths') return `${action} ${[area, ...rest].join(' › ')}`;
  const [template = '', method, ...inside] = rest;
  return `${method?.toUpperCase() ?? ''} ${template}: ${[action, ...inside].join(' › ')}`.trimStart();
}
