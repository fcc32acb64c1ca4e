import { FREE_FIELDS, ID_FIELDS, TIME_FIELDS } from './generated';

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const FORMS = new Map([
  ...ID_FIELDS.map((name) => [name, ID] as const),
  ...TIME_FIELDS.map((name) => [name, TIME] as const),
]);

/**
 * The first field of a response whose text does not have the form that the OpenAPI document promises. Null when there is none. Callers build
 * addresses and names of files from ids and times, and the response may come from another server than the API.
 */
export function malformedField(value: unknown, name = ''): string | null {
  if (typeof value === 'string') return FORMS.get(name)?.test(value) === false ? name : null;
  if (typeof value !== 'object' || value === null || FREE_FIELDS.includes(name)) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = malformedField(inner, Array.isArray(value) ? name : key);
    if (found !== null) return found;
  }
  return null;
}
