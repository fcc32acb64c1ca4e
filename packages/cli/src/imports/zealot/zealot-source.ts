import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { usageError } from '../../output/cli-error';
import { type LocalFile } from '../../upload/local-file';
import { type BuildSource } from '../plan/build-source';
import { type PlannedBuild } from '../plan/import-plan';
import { type ZealotClient } from './zealot-client';
import { idIn } from './zealot-plan';

/** Files that a server of Zealot keeps. Each is on this disk only while it is uploaded. */
export class ZealotSource implements BuildSource {
  constructor(
    private readonly zealot: ZealotClient,
    private readonly signal: AbortSignal,
  ) {}

  async use<Result>({ file }: PlannedBuild, work: (file: LocalFile) => Promise<Result>): Promise<Result> {
    const folder = await mkdtemp(join(tmpdir(), 'agate-import-'));
    try {
      const response = await this.zealot.download(idIn(file));
      const name = nameOf(response);
      const path = join(folder, 'file');
      await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path), { signal: this.signal });
      const { size } = await stat(path);
      if (size === 0) throw usageError('Zealot sends an empty file.');
      return await work({ path, name, size });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** The name in `Content-Disposition` (RFC 6266), else the end of the address. Only its last part counts. */
function nameOf({ headers, url }: Response): string {
  const disposition = headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="([^"]+)"/i.exec(disposition)?.[1];
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return basename(encoded ? decodeURIComponent(encoded) : (plain ?? decodeURIComponent(last))).replaceAll('\\', '_');
}
