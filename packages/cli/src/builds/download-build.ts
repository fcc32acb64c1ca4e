import { type BuildResponse } from '@agate/client';
import { type Context } from '../context';
import { CliError, ExitCode } from '../output/cli-error';
import { Progress } from '../output/progress';
import { receiveFile } from './receive-file';

/**
 * Downloads the file of a build. The file gets its name when it is complete and its checksum is correct.
 * @throws ApiError, or CliError when the file cannot be written or the bytes are not those of the build.
 */
export async function downloadBuild(context: Context, build: BuildResponse, file: string): Promise<void> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const path = { build_id: build.id };
  const { url } = await client.request('POST /builds/{build_id}/download-url', { path, query: scope });
  const title = `Downloading ${build.file_name}`;
  const progress = new Progress(context.output, { title, total: build.size_bytes, now: () => performance.now() });
  const accepts = (sha256: string): void => {
    if (sha256 !== build.sha256) throw wrongBytes(build);
  };
  try {
    await receiveFile(context, url, file, accepts, (bytes) => progress.report(bytes));
  } finally {
    progress.end();
  }
}

const wrongBytes = ({ file_name: name }: BuildResponse): CliError =>
  new CliError(ExitCode.tryAgain, 'sha256_mismatch', `The received bytes are not those of ${name}. Download it again.`);
