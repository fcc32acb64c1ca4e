import { type ExportedFile } from '#kernel/account-data';
import { DEVELOPER_FILES, ORGANIZATION_FILES } from '#modules/account-data';
import { code, page, table } from './markdown';

const INTRO = `What \`npm run operator -- account export\` writes: a zip with these files. Each is an array of objects, a row on a line, all as
of one instant. \`contents.json\` names them and counts their rows, and says when the export was made. With \`--artifacts\` there are also
\`artifacts/<build id>\` and \`icons/<build id>\`. Times are RFC 3339 in UTC; amounts of money are whole millionths of a US dollar;
quantities that may be longer than JSON's numbers are text. Tokens, their digests, passwords and sealed credentials never leave.`;

/** What stands between SELECT and FROM, an alias by its own name. */
const fieldsOf = ({ sql }: ExportedFile): string =>
  (/SELECT ([^]*?) FROM /.exec(sql)?.[1] ?? '')
    .split(/,(?![^(]*\))/)
    .map((field) =>
      code(
        field
          .trim()
          .replace(/^[^]* AS /, '')
          .replace(/^\w+\./, '')
          .replaceAll('"', ''),
      ),
    )
    .join(', ');

const files = (title: string, list: readonly ExportedFile[]): string =>
  `## ${title}\n\n${table(
    ['file', 'what', 'fields'],
    list.map((file) => [code(`${file.name}.json`), file.describe, fieldsOf(file)]),
  )}`;

export const accountExportPage = (): string =>
  page(
    'Account exports',
    INTRO,
    files('Of an organization', ORGANIZATION_FILES),
    files('Of a developer', DEVELOPER_FILES),
  );
