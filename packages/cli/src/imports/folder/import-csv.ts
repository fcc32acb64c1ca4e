import { CsvError } from '@agate/client';
import { usageError } from '../../output/cli-error';
import { EMPTY_BUILD, type ImportPlan, type PlannedBuild, type PlannedTester, planOf } from '../plan/import-plan';
import { type CsvRecord, csvRecords } from './csv-records';
import { fileWithin, platformOf, timeOf } from './fields';

/** The name of the file that describes the files of a folder, written by hand or by a spreadsheet. */
export const IMPORT_CSV = 'import.csv';

/** Reads `import.csv`. A cell with several channels or testers separates them by `|`. @throws CliError that names the line. */
export function readImportCsv(text: string): ImportPlan {
  const records = recordsOf(text);
  if (records[0] && !('file' in records[0].cells)) {
    throw usageError(`Line 1 of ${IMPORT_CSV} must name the columns, and one of them must be file.`);
  }
  return planOf(records.map(buildOf), testersOf(records));
}

function recordsOf(text: string): CsvRecord[] {
  try {
    return csvRecords(text);
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`${IMPORT_CSV}: ${error.message}`);
    throw error;
  }
}

function buildOf({ line, cells }: CsvRecord): PlannedBuild {
  const at = (column: string): string => `The column ${column} on line ${line} of ${IMPORT_CSV}`;
  const cell = (column: string): string | null => cells[column] || null;
  const file = cell('file');
  if (file === null) throw usageError(`Line ${line} of ${IMPORT_CSV} names no file.`);
  const platform = cell('platform');
  return {
    ...EMPTY_BUILD,
    file: fileWithin(file, at('file')),
    platform: platform === null ? null : platformOf(platform, at('platform')),
    version: cell('version'),
    build_number: cell('build_number'),
    notes: cell('notes'),
    branch: cell('branch'),
    commit: cell('commit'),
    ci_url: cell('ci_url'),
    uploaded_at: timeOf(cell('uploaded_at'), at('uploaded_at')),
    releases: severalOf(cells['channel']).map((channel) => ({ channel, notes: null, promoted_at: null })),
  };
}

/** A tester subscribes to the channels of all lines that name them. */
function testersOf(records: readonly CsvRecord[]): PlannedTester[] {
  const channelsOf = new Map<string, Set<string>>();
  for (const { cells } of records) {
    for (const email of severalOf(cells['testers'])) {
      const channels = channelsOf.get(email) ?? new Set();
      for (const channel of severalOf(cells['channel'])) channels.add(channel);
      channelsOf.set(email, channels);
    }
  }
  return [...channelsOf].map(([email, channels]) => ({ email, name: null, channels: [...channels] }));
}

const severalOf = (cell = ''): string[] =>
  cell
    .split('|')
    .map((text) => text.trim())
    .filter((text) => text !== '');
