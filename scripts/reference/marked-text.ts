import { readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCE = 'src/kernel/text/marked-text.ts';

/** The parser of notes for the dashboard: packages cannot import the service, and notes must look alike on pages, in mails and there. */
export const clientMarkedText = (): string =>
  `// Generated from ${SOURCE} by \`npm run generate\`. Do not edit.\n\n${readFileSync(path.join(__dirname, '../..', SOURCE), 'utf8')}`;
