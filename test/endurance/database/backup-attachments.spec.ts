import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Developer, scope } from '../../support/actors/actors';
import { commands, copyKeys, type EmptyPlace, emptyPlace, sha256 } from '../../support/actors/backup-fixture';
import { TestApp } from '../../support/app/test-app';
import { ServerProcess } from '../../support/processes/server-process';

jest.setTimeout(240_000);

describe('a backup of builds with attachments', () => {
  let app: TestApp;
  let folder: string;
  let elsewhere: EmptyPlace;
  beforeAll(async () => {
    app = await TestApp.start();
    folder = join(tmpdir(), `agate-backup-${randomBytes(5).toString('hex')}`);
    elsewhere = await emptyPlace();
  });
  afterAll(async () => {
    await elsewhere?.remove();
    await rm(folder, { recursive: true, force: true });
    await app.stop();
  });

  // red when: the list of artifacts leaves attachments out
  it('restores them with their bytes, and finds nothing missing', async () => {
    const ann = await app.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    const dmg = { bytes: randomBytes(1000), fileName: 'App.dmg' };
    const build = await ann.uploads(project, dmg, { platform: 'macos', version: '1.0' });
    const zip = { bytes: Buffer.concat([Buffer.from('PK'), randomBytes(5000)]), fileName: 'App.zip' };
    const attachment = await ann.attaches(project, build, zip, { kind: 'update' });
    const made = await commands(app, ['backup', 'create', folder, '--yes']);
    expect(made).toMatchObject({ artifacts: 2, copied: 2, faults: [] });
    await copyKeys(app, elsewhere);
    const restored = await commands<{ checks: { status: string }[] }>(elsewhere, [
      'backup',
      'restore',
      folder,
      '--yes',
    ]);
    expect(restored.checks.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
    const server = await ServerProcess.start(elsewhere);
    try {
      const again = await Developer.logIn(server.url, ann.email, ann.password);
      const path = `/builds/${build.id}/attachments/${attachment.id}/download?${scope(project)}`;
      const { headers } = await again.get(path).redirects(0).expect(302);
      const response = await fetch(server.url + new URL(headers['location']!).pathname);
      expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(attachment.sha256);
    } finally {
      await server.stop();
    }
  });
});
