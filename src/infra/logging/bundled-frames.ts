import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Where lines of a bundle come from. The build writes it beside the bundle, as JSON. */
export interface BundledLines {
  /** Relative to the folder of the bundle. */
  readonly files: readonly string[];
  /** Runs of consecutive lines: first line of the bundle, index of the file, line of the file. In the order of the first lines. */
  readonly runs: readonly (readonly [bundled: number, file: number, line: number])[];
}

/** The suffix of the file with the lines of a bundle. */
export const LINES_SUFFIX = '.lines.json';
const PLACE = /((?:[A-Za-z]:)?[^\s():]+[\\/]service\.js):(\d+):\d+/g;
const known = new Map<string, BundledLines | null>();

/** Replaces places in the bundle of the service by the file and line that they were built from. Other frames stay as they are. */
export const originalFrames = (frames: string): string =>
  frames.replace(PLACE, (place, bundle: string, line: string) => {
    const lines = linesOf(bundle);
    return (lines && originOf(Number(line), lines, dirname(bundle))) ?? place;
  });

/** Read when the first error is logged. */
function linesOf(bundle: string): BundledLines | null {
  const kept = known.get(bundle);
  if (kept !== undefined) return kept;
  const lines = readLines(bundle);
  known.set(bundle, lines);
  return lines;
}

function readLines(bundle: string): BundledLines | null {
  try {
    return JSON.parse(readFileSync(bundle + LINES_SUFFIX, 'utf8')) as BundledLines;
  } catch {
    return null;
  }
}

/** The file and line of a line of the bundle. Undefined for lines that the bundler added before the first module. */
function originOf(line: number, { files, runs }: BundledLines, folder: string): string | undefined {
  let [from, to] = [0, runs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (runs[middle]![0] <= line) from = middle + 1;
    else to = middle;
  }
  const run = runs[from - 1];
  return run && `${resolve(folder, files[run[1]] ?? '')}:${run[2] + line - run[0]}`;
}
