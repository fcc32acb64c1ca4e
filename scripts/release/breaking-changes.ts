import { apiCompare, type Diff } from 'api-smart-diff';

/** Lists the changes from `before` to `after` (OpenAPI 3.1 documents) that break existing clients, one line each. */
export function breakingChanges(before: object, after: object): string[] {
  const { diffs } = apiCompare(constraintsOf(before), constraintsOf(after));
  // Components are compared where operations refer to them.
  return diffs.filter((diff) => diff.path[0] !== 'components' && isBreaking(diff)).map(describe);
}

const ANNOTATIONS = new Set(['summary', 'description', 'example', 'examples']);

/**
 * Returns a document without the annotations of its schemas, which no client depends on. The library compares a schema that has an
 * annotation beside `allOf` or `anyOf` as if it had another structure.
 */
function constraintsOf(node: unknown, namesFields = false): unknown {
  if (Array.isArray(node)) return node.map((item) => constraintsOf(item));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node)
    .filter(([key]) => namesFields || !ANNOTATIONS.has(key))
    .map(([key, value]): [string, unknown] => [
      key,
      key === 'security' ? requiredSchemes(value) : constraintsOf(value, key === 'properties'),
    ]);
  const [[key, variants] = ['', null]] = kept;
  const isWrapper = !namesFields && kept.length === 1 && key === 'allOf' && Array.isArray(variants);
  return isWrapper && variants.length === 1 ? variants[0] : Object.fromEntries(kept);
}

/** An empty alternative means that the operation needs no credential. */
const requiredSchemes = (security: unknown): unknown =>
  Array.isArray(security) && security.some((schemes: object) => Object.keys(schemes).length === 0) ? [] : security;

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
