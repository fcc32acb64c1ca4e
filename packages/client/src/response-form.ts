const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const ID_NAMES =
  /^(attachment|(icon_)?build|channel|developer|device|invitation|organization|project|release|tester|token|upload|webhook)_ids?$|^ids?$/;

/** The form of the text in a field with this name; undefined for any text. A test compares it with the OpenAPI document. */
export const formOf = (name: string): RegExp | undefined =>
  ID_NAMES.test(name) ? ID : name.endsWith('_at') ? TIME : undefined;

/** The fields whose content has no schema. */
export const hasSchema = (name: string): boolean => !['details', 'parameters', 'payload'].includes(name);

/**
 * The first field of a response whose text does not have the form that the OpenAPI document promises. Null when there is none. Callers build
 * addresses and names of files from ids and times, and the response may come from another server than the API.
 */
export function malformedField(value: unknown, name = ''): string | null {
  if (typeof value === 'string') return formOf(name)?.test(value) === false ? name : null;
  if (typeof value !== 'object' || value === null || !hasSchema(name)) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = malformedField(inner, Array.isArray(value) ? name : key);
    if (found !== null) return found;
  }
  return null;
}
