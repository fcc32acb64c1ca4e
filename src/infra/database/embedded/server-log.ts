import { copyFile, stat, truncate } from 'node:fs/promises';

const MAX_BYTES = 10_000_000;
const CHECK_MS = 60_000;

/**
 * Keeps a server's log below some 10 MB: once a minute, a larger file is copied to `<file>.1`, which replaces the previous copy, and
 * emptied. It is not renamed, because the server keeps it open (for appending, so it continues at the new end).
 */
export function rotateLog(file: string, log: (message: string) => void, checkMs = CHECK_MS): { stop: () => void } {
  let isRunning = false;
  const timer = setInterval(() => {
    // A second rotation beside a slow one would replace its copy with the emptied file.
    if (isRunning) return;
    isRunning = true;
    rotate(file)
      .catch((error: unknown) => log(`The log ${file} cannot be rotated: ${String(error)}.`))
      .finally(() => (isRunning = false));
  }, checkMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

async function rotate(file: string): Promise<void> {
  if ((await stat(file)).size <= MAX_BYTES) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}
