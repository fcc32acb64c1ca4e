import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CredentialsFile } from './credentials-file';

const SERVICE = 'https://agate.example.com';
const OTHER = 'https://other.example.com';

describe('The file of logins', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agate-credentials-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    [{ AGATE_CONFIG_DIR: '/own', XDG_CONFIG_HOME: '/xdg' }, 'linux', '/own/credentials.json'],
    [{ XDG_CONFIG_HOME: '/xdg', HOME: '/home/ann' }, 'linux', '/xdg/agate/credentials.json'],
    [{ HOME: '/home/ann' }, 'darwin', '/home/ann/.config/agate/credentials.json'],
    [{ APPDATA: '/roaming', HOME: '/home/ann' }, 'win32', '/roaming/agate/credentials.json'],
  ] as const)('with %j on %s is %s', (environment, platform, path) => {
    expect(new CredentialsFile(environment, platform).path).toBe(path);
  });

  it('stores and deletes logins by service, readable by its owner only', () => {
    const file = new CredentialsFile({ AGATE_CONFIG_DIR: join(folder, 'new') });
    expect(file.read()).toEqual({});
    file.keep(SERVICE, { token: 'a' });
    file.keep(OTHER, { credential_command: 'b' });
    file.keep(SERVICE, { token: 'c', email: 'ann@example.com' });
    expect(file.read()).toEqual({
      [SERVICE]: { token: 'c', email: 'ann@example.com' },
      [OTHER]: { credential_command: 'b' },
    });
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    // Nothing else is left behind.
    expect(readdirSync(join(folder, 'new'))).toEqual(['credentials.json']);
    file.forget(SERVICE);
    expect(file.read()).toEqual({ [OTHER]: { credential_command: 'b' } });
    file.forget(OTHER);
    expect(readdirSync(join(folder, 'new'))).toEqual([]);
    file.forget(OTHER);
  });

  it.each([0o644, 0o640, 0o620, 0o601])('is rejected with the mode %o', (mode) => {
    const file = new CredentialsFile({ AGATE_CONFIG_DIR: folder });
    file.keep(SERVICE, { token: 'a' });
    chmodSync(file.path, mode);
    expect(() => file.read()).toThrow('chmod 600');
    expect(() => file.keep(SERVICE, { token: 'b' })).toThrow('chmod 600');
  });
});
