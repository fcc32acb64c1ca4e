import { readFileSync } from 'node:fs';
import path from 'node:path';
import { formOf, hasSchema } from '../src/response-form';

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
}

const FILE = path.join(__dirname, '../../../docs/generated/openapi.json');
const { components } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Arrays stand for their items, alternatives for the one that is not null. */
const valueOf = (schema: Schema): Schema => {
  const inner = schema.items ?? schema.anyOf?.find(({ type }) => type !== 'null');
  return inner ? valueOf(inner) : schema;
};

/** The fields of a schema and of the objects in it. */
const fieldsOf = (schema: Schema): [string, Schema][] =>
  Object.entries(valueOf(schema).properties ?? {}).flatMap(([name, field]) => [
    [name, valueOf(field)],
    ...fieldsOf(field),
  ]);

describe('The forms that the client expects', () => {
  // No response contains a webhook event.
  const { WebhookEvent: _, ...schemas } = components.schemas;
  const fields = Object.values(schemas).flatMap(fieldsOf);
  const EXAMPLES: Readonly<Record<string, string>> = {
    uuid: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
    'date-time': '2026-11-20T18:03:00.123Z',
  };

  // red when: `formOf` expects an id in `team_id`
  it('are those of the OpenAPI document, for every field of text', () => {
    const texts = fields.filter(([name, { type }]) => formOf(name) && String(type).includes('string'));
    expect(texts.length).toBeGreaterThan(100);
    const wrong = texts.filter(([name, { format = '' }]) => !formOf(name)?.test(EXAMPLES[format] ?? ''));
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  // red when: the API gets a field such as `device_id` with an id, which `formOf` does not know
  it('cover every field whose name says that it is an id or a time', () => {
    const names = fields.filter(([, { format }]) => format === 'uuid' || format === 'date-time').map(([name]) => name);
    const others = [
      'add',
      'against',
      'at',
      'created_by',
      'failing_since',
      'from',
      'invited_by',
      'previous_secret_until',
      'pub_date',
      'remove',
      'since',
      'time',
      'to',
      'uploaded_by',
    ];
    expect([...new Set(names.filter((name) => !formOf(name)))].sort()).toEqual(others);
  });

  it('do not apply within fields without a schema', () => {
    const free = fields.filter(([, { additionalProperties }]) => additionalProperties === true).map(([name]) => name);
    expect(free.filter(hasSchema)).toEqual([]);
  });
});
