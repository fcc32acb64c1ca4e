import { type OpenAPIObject } from '@nestjs/swagger';
import { API_PREFIX } from '#app/routes';

/** The parts of a JSON schema that the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, { schema?: Schema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { schema?: Schema }> }>;
  readonly 'x-access'?: { readonly role: { readonly organization: unknown; readonly project: unknown } | null };
}

const INTRO = `// Generated from the OpenAPI document by \`npm run generate\`. Do not edit.
/* eslint-disable */
`;

/** The types of the API for `packages/client`: every schema, and every JSON route with its parameters, body and response. */
export function clientTypes(document: OpenAPIObject): string {
  const schemas = Object.entries(document.components?.schemas ?? {}) as unknown as [string, Schema][];
  const routes = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`/${API_PREFIX}/`))
    .flatMap(([path, item]) =>
      Object.entries(item as unknown as Record<string, Operation>).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path.slice(API_PREFIX.length + 1)}`, operation] as const,
      ),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    INTRO,
    ...schemas.map(([name, schema]) => `${docOf(schema)}export type ${name} = ${typeOf(schema)};\n`),
    '/** Every route of the API with its path parameters, query, body and response. */',
    'export interface Routes {',
    ...routes.map(([name, operation]) => `  '${name}': ${routeOf(operation)};`),
    '}\n',
    '/** The roles that each route requires, as its `x-access` says. */',
    'export const REQUIRED_ROLES = {',
    ...routes.flatMap(([name, operation]) => rolesOf(name, operation)),
    '} as const satisfies Partial<Record<keyof Routes, unknown>>;',
    '',
  ].join('\n');
}

const docOf = ({ description }: Schema): string =>
  description ? `/** ${description.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n` : '';

function routeOf(operation: Operation): string {
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const response = success?.content?.['application/json']?.schema;
  return `{ path: ${parametersOf(operation, 'path')}; query: ${parametersOf(operation, 'query')}; body: ${
    body?.[0] === 'application/json' && body[1].schema
      ? typeOf(body[1].schema)
      : body
        ? `NonNullable<RequestInit['body']>`
        : 'undefined'
  }; response: ${response ? typeOf(response) : success?.content ? 'string' : 'undefined'} }`;
}

function parametersOf({ parameters = [] }: Operation, place: string): string {
  const fields = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, schema = {} }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema)}`);
  return fields.length === 0 ? 'undefined' : `{ ${fields.join('; ')} }`;
}

function rolesOf(name: string, operation: Operation): string[] {
  const role = operation['x-access']?.role;
  if (!role || (role.organization === null && role.project === null)) return [];
  return [`  '${name}': ${JSON.stringify(role)},`];
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${docOf(schema)}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  if (additionalProperties) fields.push('[key: string]: unknown;');
  return fields.length === 0 ? 'Record<string, unknown>' : `{\n${fields.join('\n')}\n}`;
}

const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`);
