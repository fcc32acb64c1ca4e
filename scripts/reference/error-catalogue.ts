import { type INestApplication } from '@nestjs/common';
import { type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE, type ErrorCase, type ErrorCode, type ErrorEntry } from '#kernel/errors/catalogue';
import { errorsOf, inputOf, type Operation } from '#app/openapi/route-docs';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { ERROR_GUIDE } from './error-guide';
import { ERROR_REASONS } from './error-reasons';
import { code, page, table } from './markdown';

const INTRO = `Every 4xx and 5xx response is JSON: \`{"error": code, "message": text for people, "details": object}\`. Match on the code, which
never changes. \`details\` always contains \`request_id\`. The page of each code explains its causes and remedies.`;

const ENTRIES = Object.entries(ERROR_CATALOGUE) as readonly (readonly [ErrorCase, ErrorEntry])[];

const CODES = [...new Set(ENTRIES.map(([, entry]) => entry.code))];

const casesOf = (errorCode: ErrorCode): typeof ENTRIES => ENTRIES.filter(([, entry]) => entry.code === errorCode);

/** The list of all codes and a page for each: path → content. */
export function errorPages(app: INestApplication, document: OpenAPIObject): readonly (readonly [string, string])[] {
  const routes = declaredRoutes(app);
  return [
    ['docs/generated/errors.md', overview()],
    ...CODES.map(
      (errorCode) => [`docs/generated/errors/${errorCode}.md`, pageOf(errorCode, routes, document)] as const,
    ),
  ];
}

const overview = (): string =>
  page(
    'Errors',
    INTRO,
    table(
      ['code', 'status', 'message'],
      ENTRIES.map(([, entry]) => [
        `[${entry.code}](errors/${entry.code}.md)`,
        String(entry.status),
        entry.message.replaceAll('<', '\\<'),
      ]),
    ),
  );

function pageOf(errorCode: ErrorCode, routes: readonly DeclaredRoute[], document: OpenAPIObject): string {
  const { meaning, causes, remedies, details = {} } = ERROR_GUIDE[errorCode];
  const reasons = Object.entries(ERROR_REASONS[errorCode] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const fields = Object.entries(details).map(([name, what]) => [code(name), what]);
  const cases = casesOf(errorCode);
  return page(
    errorCode,
    `${code(errorCode)}, status ${cases.map(([, { status }]) => status).join(' or ')}. ${meaning}`,
    '## When',
    list(causes),
    '## What to do',
    list(remedies),
    '## Details',
    table(
      ['field', 'content'],
      [
        [code('request_id'), 'String: the value of the `X-Request-Id` header. Always present.'],
        ...(reasons.length > 0 ? [[code('reason'), 'String: a word from the table below, if there is one.']] : []),
        ...fields,
      ],
    ),
    ...(reasons.length > 0
      ? [
          '## Reasons',
          table(
            ['reason', 'meaning'],
            reasons.map(([word, says]) => [code(word), says]),
          ),
        ]
      : []),
    '## Example',
    ...cases.map(([name, entry]) => example(name, entry, document)),
    '## Routes',
    routesWith(
      cases.map(([name]) => name),
      routes,
      document,
    ),
  );
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

function example(name: ErrorCase, { status, retryAfterSeconds }: ErrorEntry, document: OpenAPIObject): string {
  const { value } = document.components?.examples?.[name] as { value: unknown };
  const head = [`HTTP/1.1 ${status}`, 'Content-Type: application/json; charset=utf-8'];
  if (retryAfterSeconds !== undefined) head.push(`Retry-After: ${retryAfterSeconds}`);
  return ['```http', ...head, '', JSON.stringify(value, null, 2), '```'].join('\n');
}

function routesWith(cases: readonly ErrorCase[], routes: readonly DeclaredRoute[], document: OpenAPIObject): string {
  const operationOf = ({ template, method }: DeclaredRoute): Operation =>
    (document.paths[template] as Record<string, Operation>)[method.toLowerCase()]!;
  const hasCase = (route: DeclaredRoute): boolean =>
    [...errorsOf(route, inputOf(operationOf(route))).values()].flat().some((each) => cases.includes(each));
  const affected = routes.filter(hasCase);
  if (affected.length === routes.length) return 'Every route.';
  return list(affected.map(({ method, template }) => code(`${method} ${template}`)).sort());
}
