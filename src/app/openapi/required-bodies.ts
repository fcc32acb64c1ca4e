import { type OpenAPIObject } from '@nestjs/swagger';
import { type DeclaredRoute } from '../routes';
import { type Operation } from './route-docs';

interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Operations whose body must have one of two fields, which a list of required fields cannot say. */
const WITH_ONE_OF_TWO: ReadonlySet<string> = new Set(['BuildDeletionsController.deleteMany', 'ByosaController.put']);

/** Declares which JSON bodies are required: a missing one means `{}`, which lacks no field when the schema requires none. */
export function requireBody({ requestBody }: Operation, { name }: DeclaredRoute, document: OpenAPIObject): void {
  const { schema } = (requestBody?.content?.['application/json'] ?? {}) as { readonly schema?: Schema };
  if (!requestBody || !schema) return;
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  requestBody.required = WITH_ONE_OF_TWO.has(name) || hasRequiredField(schema, schemas);
}

function hasRequiredField(schema: Schema, schemas: Readonly<Record<string, Schema>>): boolean {
  const { $ref, required = [], allOf = [], anyOf, oneOf } = schema;
  const isRequired = (part: Schema): boolean => hasRequiredField(part, schemas);
  if ($ref) return isRequired(schemas[$ref.split('/').at(-1)!] ?? {});
  const variants = anyOf ?? oneOf;
  return required.length > 0 || allOf.some(isRequired) || (variants?.every(isRequired) ?? false);
}
