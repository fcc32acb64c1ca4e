import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(__dirname, '../../migrations');

/** SHA-256 digests of all migrations, by file name. */
export const digestsOfMigrations = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(FOLDER)
      .sort()
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(path.join(FOLDER, file)))
          .digest('hex'),
      ]),
  );
