import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { page, table } from './markdown';

const FOLDER = path.resolve(__dirname, '../../docs/decisions');
const INTRO = `The decision records, with the date and the status that stand under each title. A record that another one replaces stays, with the
status "Replaced by" and a link. Numbers that are missing were reserved for work that needed no record.`;

/** The head of a record: a title with its number, and a status. */
const HEAD = /^# (\d+)\. (.+)\n\n\*(.+)\.\*\n/;

/** @throws Error when a record has no title with the number of its file, or no status. */
export function decisionsPage(): string {
  const rows = readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const [, number, title, status] = HEAD.exec(readFileSync(path.join(FOLDER, file), 'utf8')) ?? [];
      if (!number || !title || !status || Number(file.slice(0, 4)) !== Number(number)) {
        throw new Error(
          `docs/decisions/${file} must begin with "# number. Title", an empty line and "*Accepted day month year.*"`,
        );
      }
      return [number, `[${title}](../decisions/${file})`, status];
    });
  return page('Decisions', INTRO, table(['number', 'decision', 'status'], rows));
}
