import { truncateSync } from 'node:fs';
import { type CliProject, startCliProject } from '../../support/cli/cli-project';

// A busy machine takes minutes to hash, send and read the file.
jest.setTimeout(600_000);

const MIB = 1024 * 1024;
/** Far below the size of the file, and above the sent bytes that Node keeps before it frees them. */
const MAX_MIB = 200;
/**
 * Prints the most memory that was resident, in bytes, at the exit. The maximum of `process.resourceUsage()` includes the memory of the
 * process that started this one, because Linux keeps it over `exec`.
 */
const REPORTER = `
  let peak = 0;
  setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10).unref();
  process.on('exit', () => console.error('peak=' + peak));
`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(REPORTER)}`;

describe('The memory of the command line', () => {
  let stage: CliProject;
  beforeAll(async () => (stage = await startCliProject()));
  afterAll(() => stage.stop());

  // red when: a file is read as a whole
  it(`stays below ${MAX_MIB} MiB while it uploads a file of 1 GB`, async () => {
    truncateSync(stage.cli.write('large.zip', ''), 1_000_000_000);
    const args = ['upload', 'large.zip', '--platform', 'linux', '--version', '1', '--no-ci-metadata'];
    const { code, stderr } = await stage.cli.run(args, { environment: { NODE_OPTIONS } });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const peakMib = Number(/peak=(\d+)/.exec(stderr)?.[1]) / MIB;
    expect(peakMib).toBeGreaterThan(10);
    expect(peakMib).toBeLessThan(MAX_MIB);
  });
});
