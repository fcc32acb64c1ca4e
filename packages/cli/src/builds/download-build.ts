import { createHash } from 'node:crypto';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ReadableStream } from 'node:stream/web';
import { type BuildResponse, toApiError } from '@agate/client';
import { type Context } from '../context';
import { CliError, ExitCode } from '../output/cli-error';
import { Progress } from '../output/progress';

/**
 * Downloads the file of a build. The file gets its name when it is complete and its checksum is correct.
 * @throws ApiError, or CliError when the bytes are not those of the build.
 */
export async function downloadBuild(context: Context, build: BuildResponse, file: string): Promise<void> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const path = { build_id: build.id };
  const { url } = await client.request('POST /builds/{build_id}/download-url', { path, query: scope });
  const response = await fetch(url, { signal: context.signal });
  if (!response.ok || !response.body) throw await toApiError(response);
  const partial = `${file}.part`;
  const hash = createHash('sha256');
  const title = `Downloading ${build.file_name}`;
  const progress = new Progress(context.output, { title, total: build.size_bytes, now: () => performance.now() });
  let bytes = 0;
  try {
    const body = Readable.fromWeb(response.body as ReadableStream);
    body.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
      progress.report(bytes);
    });
    await pipeline(body, createWriteStream(partial), { signal: context.signal });
    if (hash.digest('hex') !== build.sha256) throw wrongBytes(build);
    renameSync(partial, file);
  } finally {
    progress.end();
    rmSync(partial, { force: true });
  }
}

const wrongBytes = ({ file_name: name }: BuildResponse): CliError =>
  new CliError(ExitCode.tryAgain, 'sha256_mismatch', `The received bytes are not those of ${name}. Download it again.`);
