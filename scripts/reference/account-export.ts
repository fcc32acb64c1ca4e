import { type ExportedFile } from '#kernel/account-data';
import { DEVELOPER_FILES, ORGANIZATION_FILES } from '#read-models/account-exports/exported-files';
import { code, page, table } from './markdown';

const INTRO = `\`npm run operator -- account export\` writes a zip with these files. Each is a JSON array with one object per line. A row
that exists from the beginning to the end of the export is contained once; the files are not of one instant, as \`README.txt\` in the
zip says. \`contents.json\` lists the files with their row counts and the time at which the export began. \`--artifacts\` adds
\`artifacts/<build id>\` and \`icons/<build id>\`. Times are RFC 3339 in UTC; amounts are integers in millionths of a US dollar;
quantities that may exceed the range of JSON numbers are strings. Tokens, their digests, passwords and sealed credentials are never
exported.`;

/** The column names of the SELECT list; aliases by their own name. */
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
  page('Account exports', INTRO, files('Organization', ORGANIZATION_FILES), files('Developer', DEVELOPER_FILES));
