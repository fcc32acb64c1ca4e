import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { type Context } from '../../context';
import { parseCsv } from '../../imports/folder/csv';
import { usageError } from '../../output/cli-error';

export const exportTestersCommand = (context: Context): Command =>
  new Command('export')
    .description('write all testers as a CSV file, which can be imported again')
    .argument('[file]', 'where to write it; default: standard output')
    .action(async (file: string | undefined) => {
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const csv = await client.request('GET /testers/export', { query: scope });
      const testers = parseCsv(csv).map(({ cells }) => cells);
      if (file === undefined) return context.output.print(testers, csv);
      // Addresses of people are for the owner of the file only.
      await writeFile(file, csv, { mode: 0o600 }).catch((error: Error) => {
        throw usageError(`"${file}" cannot be written: ${error.message}`);
      });
      context.output.print({ file, testers: testers.length }, `${testers.length} testers are in ${file}.`);
    });
