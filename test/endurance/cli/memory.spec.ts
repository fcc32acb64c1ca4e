import { truncateSync } from 'node:fs';
import { type CliProject, startCliProject } from '../../support/cli/cli-project';

// A busy machine takes minutes to hash, send and read the file.
jest.setTimeout(600_000);

const KIB_OF_MIB = 1024;
/** Far below the size of the file, and above what Node lets pile up before it frees what was sent. */
const MOST_MIB = 200;
/** Prints the most memory that a process has used, in KiB, when it exits. */
const REPORTER = `data:text/javascript,process.on('exit',()=>console.error('peak='+process.resourceUsage().maxRSS))`;

describe('The memory of the command line', () => {
  let stage: CliProject;
  beforeAll(async () => (stage = await startCliProject()));
  afterAll(() => stage.stop());

  // red when: a file is read as a whole
  it(`stays below ${MOST_MIB} MiB while it uploads a file of 1 GB`, async () => {
    truncateSync(stage.cli.write('large.zip', ''), 1_000_000_000);
    const args = ['upload', 'large.zip', '--platform', 'linux', '--version', '1', '--no-ci-metadata'];
    const { code, stderr } = await stage.cli.run(args, { environment: { NODE_OPTIONS: `--import=${REPORTER}` } });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(Number(/peak=(\d+)/.exec(stderr)?.[1]) / KIB_OF_MIB).toBeLessThan(MOST_MIB);
  });
});
