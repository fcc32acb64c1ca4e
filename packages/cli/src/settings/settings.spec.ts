import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment } from '../environment';
import { CredentialsFile } from './credentials-file';
import { type GlobalOptions, loadSettings } from './settings';

const OWN = 'https://agate.example.com';
const FOREIGN = 'https://elsewhere.example.com';

describe('The address to which a token is sent', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'agate-settings-')));
    mkdirSync(join(folder, 'repository/.git'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (place: string, url: string): void =>
    writeFileSync(join(folder, place, '.agate.json'), JSON.stringify({ url }));
  const load = (environment: Environment, options: GlobalOptions = {}, place = 'repository') =>
    loadSettings(options, { AGATE_CONFIG_DIR: join(folder, 'config'), ...environment }, join(folder, place));

  // red when: the check of the address of the project file is left out of `loadLogin`.
  it.each([{ AGATE_TOKEN: 'secret' }, { AGATE_CREDENTIAL_COMMAND: 'echo secret' }])(
    'is not the one of a project file alone, with %j',
    (environment) => {
      write('repository', FOREIGN);
      expect(() => load(environment)).toThrow(`Only .agate.json names ${FOREIGN}`);
    },
  );

  it('runs no credential command for the address of a project file', () => {
    write('repository', FOREIGN);
    const file = join(folder, 'ran');
    expect(() => load({ AGATE_CREDENTIAL_COMMAND: `touch ${file}` })).toThrow(FOREIGN);
    expect(() => rmSync(file)).toThrow('ENOENT');
  });

  it('is the one of the option or variable, also when a project file names another one', () => {
    write('repository', FOREIGN);
    expect(load({ AGATE_TOKEN: 'secret' }, { url: OWN })).toMatchObject({ url: OWN, token: 'secret' });
  });

  it('is the one of a project file after a login to that service, or when project files are trusted', () => {
    write('repository', OWN);
    const trusted = { AGATE_TOKEN: 'secret', AGATE_TRUST_PROJECT_FILE: '1' };
    expect(load(trusted)).toMatchObject({ url: OWN, token: 'secret' });
    new CredentialsFile({ AGATE_CONFIG_DIR: join(folder, 'config') }).keep(OWN, { token: 'stored' });
    expect(load({ AGATE_TOKEN: 'secret' })).toMatchObject({ url: OWN, token: 'secret' });
    expect(load({})).toMatchObject({ url: OWN, token: 'stored' });
  });

  it.each(['http://agate.example.com', 'http://10.0.0.1:3000', 'http://localhost.example.com'])(
    'is not %s, where the token would travel unencrypted',
    (url) => {
      expect(() => load({ AGATE_TOKEN: 'secret' }, { url })).toThrow(`Use ${url.replace('http:', 'https:')} instead`);
    },
  );

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://agate.localhost'])(
    'may be %s, which does not leave the machine',
    (url) => {
      expect(load({ AGATE_TOKEN: 'secret' }, { url })).toMatchObject({ url });
    },
  );

  describe('comes from a project file', () => {
    beforeEach(() => mkdirSync(join(folder, 'repository/app/src'), { recursive: true }));

    it('of a folder above, in the repository', () => {
      write('repository', OWN);
      expect(load({}, {}, 'repository/app/src')).toMatchObject({ url: OWN });
    });

    // red when: the search does not stop at the folder with .git.
    it('but not from above the repository', () => {
      write('.', FOREIGN);
      expect(() => load({}, {}, 'repository/app/src')).toThrow('The address of the service is not known');
    });
  });
});
