import { AppError } from '#kernel/errors/app-error';

/** Maximum nesting depth of a body. */
const MAX_DEPTH = 16;
const MAX_PROPERTIES = 100;
/** Maximum length of a property name, in UTF-16 code units. A validation error repeats the name. */
const MAX_NAME_LENGTH = 100;
/** Maximum number of items in an array, unless the route declares fewer. */
const MAX_ITEMS = 2_000;
/** Maximum number of values in a body: objects, arrays and all that they contain. */
const MAX_VALUES = 20_000;

/**
 * Limits the shape of a parsed body. Transformation and validation take time that is quadratic in the number of properties, so
 * no other code may read a body that has not passed. Stops at the first excess.
 * @throws AppError validation_error
 */
export function rejectOversizedBody(body: unknown, maxItems = MAX_ITEMS): void {
  let values = 0;
  const visit = (value: unknown, field: string, depth: number): void => {
    values += 1;
    if (values > MAX_VALUES) throw excess('', `must have ${MAX_VALUES} values or fewer in all`);
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
    if (depth > MAX_DEPTH) throw excess(field, 'is nested too deeply');
    if (Array.isArray(value) && value.length > maxItems) throw excess(field, `must have ${maxItems} items or fewer`);
    const names = Object.keys(value);
    if (!Array.isArray(value)) rejectNames(names, field);
    for (const name of names)
      visit((value as Record<string, unknown>)[name], field ? `${field}.${name}` : name, depth + 1);
  };
  visit(body, '', 0);
}

function rejectNames(names: readonly string[], field: string): void {
  if (names.length > MAX_PROPERTIES) throw excess(field, `must have ${MAX_PROPERTIES} properties or fewer`);
  if (names.some((name) => name.length > MAX_NAME_LENGTH))
    throw excess(field, `must have property names of ${MAX_NAME_LENGTH} characters or fewer`);
}

const excess = (field: string, message: string): AppError => AppError.validation([{ field, messages: [message] }]);
