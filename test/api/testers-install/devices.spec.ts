import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parse } from 'plist';
import supertest from 'supertest';
import { ExportService } from '#modules/account-data';
import { type BuildJson, type Developer, type ProjectRef, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { Phone } from '../../support/artifacts/phone';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { unzipped } from '../../support/checks/zip-reader';

const UDID = '00008101-000A1C3E0E88001E';
const OTHER = '2b6f0cc904d137be2e1730235f5664094b831186';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15';

interface DeviceJson {
  readonly id: string;
  readonly tester_id: string | null;
  readonly udid: string | null;
  readonly [field: string]: unknown;
}

interface Profile {
  readonly PayloadType: string;
  readonly PayloadContent: { readonly URL: string; readonly Challenge: string; readonly DeviceAttributes: string[] };
}

describe('devices of testers', () => {
  let app: TestApp;
  let tenant: Tenant;
  /** A project without devices. */
  let project: ProjectRef;
  let ann: Developer;
  let query: string;
  let phone: Phone;
  let number = 100;
  beforeAll(async () => {
    app = await TestApp.start();
    phone = new Phone(UDID);
  });
  beforeEach(async () => {
    tenant = await createTenant(app);
    ann = tenant.admin;
    project = await ann.createsProject(tenant.organization);
    query = scope(project);
  });
  afterAll(async () => {
    phone.remove();
    await app.stop();
  });

  const uploads = (devices: readonly string[]): Promise<BuildJson> => {
    number += 1;
    const bytes = ipa({ devices, info: { CFBundleVersion: String(number) } });
    return ann.uploads(project, { bytes, fileName: 'Demo.ipa' });
  };
  const pathOf = (url: string): string => new URL(url).pathname;
  const browser = (agent = SAFARI): supertest.Agent =>
    supertest.agent(app.url).set('User-Agent', agent).set('Accept', 'text/html');
  const profileOf = async (path: string): Promise<Profile> => {
    const response = await fetch(`${app.url}${path}/device.mobileconfig`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/x-apple-aspen-config; charset=utf-8',
    ]);
    return parse(await response.text()) as unknown as Profile;
  };
  const posts = (url: string, body: Buffer): supertest.Test =>
    supertest(app.url).post(pathOf(url)).set('Content-Type', 'application/pkcs7-signature').send(body);
  /** @returns the path of the receipt. */
  const registers = async (path: string, by = phone): Promise<string> => {
    const { PayloadContent: content } = await profileOf(path);
    const response = await posts(content.URL, by.answer(content.Challenge)).expect(301);
    return pathOf(response.headers['location'] as string);
  };
  const devices = async (more = ''): Promise<DeviceJson[]> =>
    ((await ann.get(`/devices?${query}${more}`).expect(200)).body as { items: DeviceJson[] }).items;
  /** A tester with the path of a mailed link to a build. */
  const invited = async (build: BuildJson): Promise<{ id: string; email: string; path: string }> => {
    const email = randomEmail();
    const { id } = (await ann.post(`/testers?${query}`, { email, name: 'Tess' }).expect(201)).body as { id: string };
    await ann.post(`/testers/${id}/invite?${query}`, { build_id: build.id }).expect(204);
    return { id, email, path: (await app.mailbox.link(email)).pathname };
  };

  it('are registered from an install page, which then knows them', async () => {
    const build = await uploads([UDID]);
    const { id, path } = await invited(build);
    const safari = browser();
    expect((await safari.get(path).expect(200)).text).toContain('data-device="unknown"');
    const profile = await profileOf(path);
    expect(profile.PayloadType).toBe('Profile Service');
    expect(profile.PayloadContent.DeviceAttributes).toEqual(['UDID', 'PRODUCT', 'VERSION']);
    const receipt = await registers(path);
    const { text } = await safari.get(receipt).expect(200);
    expect(text).toContain('Your device is included');
    expect(text).toContain('iPhone 14 Pro');
    expect((await safari.get(path).expect(200)).text).toContain('data-device="included"');
    expect(await devices()).toEqual([
      expect.objectContaining({
        tester_id: id,
        model: 'iPhone 14 Pro',
        os_version: '21F90',
        udid: null,
        provisioned: true,
      }),
    ]);
  });

  it('are registered in a profile that a strict reader accepts', async () => {
    const { PayloadContent: content, ...payload } = await profileOf(pathOf((await uploads([UDID])).install_url));
    expect(payload).toMatchObject({
      PayloadVersion: 1,
      PayloadUUID: expect.stringMatching(/^[0-9A-F-]{36}$/) as string,
    });
    expect(content.URL).toContain(content.Challenge);
  });

  it.each([
    ['RSA', ['rsa:2048']],
    ['ECDSA', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
  ])('are registered with a key of type %s', async (_, key) => {
    const other = new Phone(OTHER, key);
    await registers(pathOf((await uploads([UDID])).install_url), other);
    other.remove();
    expect((await devices('&include=udid')).map(({ udid }) => udid)).toEqual([OTHER]);
  });

  // red when: the ticket is not compared, is not bound in time, or can be used twice; the signature is not verified
  it('are not stored for a wrong, old, used or unreadable answer', async () => {
    const path = pathOf((await uploads([UDID])).install_url);
    const { PayloadContent: content } = await profileOf(path);
    const foreign = (await profileOf(path)).PayloadContent;
    const answer = phone.answer(content.Challenge);
    const broken = Buffer.from(answer);
    broken.writeUInt8(broken.readUInt8(broken.indexOf(UDID)) ^ 1, broken.indexOf(UDID));
    const rejected = async (body: Buffer, status: number, reason?: string): Promise<void> => {
      const { body: error } = await posts(content.URL, body).expect(status);
      if (reason) expect((error as { details: { reason: string } }).details.reason).toBe(reason);
    };
    await rejected(phone.answer(foreign.Challenge), 400, 'wrong_challenge');
    await rejected(phone.answer(content.Challenge, { UDID: "=cmd'" }), 400, 'no_device_id');
    await rejected(phone.answer(content.Challenge, { UDID: 7 }), 400, 'no_device_id');
    await rejected(broken, 400, 'unreadable_answer');
    await rejected(answer.subarray(0, answer.length - 20), 400, 'unreadable_answer');
    await rejected(Buffer.from('<plist/>'), 400, 'unreadable_answer');
    await rejected(phone.signs(Buffer.from('no plist')), 400, 'unreadable_answer');
    await rejected(Buffer.alloc(0), 400);
    await rejected(Buffer.alloc(1024 * 1024), 413);
    await posts(`${content.URL}x`, answer).expect(404);
    await supertest(app.url).post(pathOf(content.URL)).send({}).expect(400);
    expect(await devices()).toEqual([]);
    await posts(content.URL, answer).expect(301);
    await posts(content.URL, answer).expect(404);
    await app.clock.advance({ minutes: 16 });
    await posts(foreign.URL, phone.answer(foreign.Challenge)).expect(404);
    expect(await app.sql(`SELECT FROM device WHERE project_id = $1`, [project.id])).toHaveLength(1);
  });

  // red when: the receipt is inserted without a check, so that each of the answers registers the device
  it('are registered once by simultaneous answers', async () => {
    const { PayloadContent: content } = await profileOf(pathOf((await uploads([UDID])).install_url));
    const answer = phone.answer(content.Challenge);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => posts(content.URL, answer)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 301)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(7);
    expect(await devices()).toHaveLength(1);
  });

  it('are shown by their receipt once, and only below their link', async () => {
    const path = pathOf((await uploads([OTHER])).install_url);
    const receipt = await registers(path);
    const foreign = pathOf((await uploads([UDID])).install_url);
    await browser().head(receipt).expect(200);
    await browser().get(receipt.replace(path, foreign)).expect(404);
    const safari = browser();
    expect((await safari.get(receipt).expect(200)).text).toContain('Ask the person who sent you the link');
    await safari.get(receipt).expect(200);
    await browser().get(receipt).expect(404);
    expect((await safari.get(path).expect(200)).text).toContain('data-device="missing"');
    expect((await safari.get(foreign).expect(200)).text).toContain('data-device="included"');
  });

  it('are not asked for where a build installs everywhere or the reader has no iPhone', async () => {
    const restricted = pathOf((await uploads([UDID])).install_url);
    expect((await browser('Mozilla/5.0 (Windows NT 10.0) Chrome/137').get(restricted).expect(200)).text).not.toContain(
      'data-device=',
    );
    expect((await browser(MAC).get(`${restricted}/device`).expect(200)).text).toContain('/device/qr.svg');
    await browser(MAC).get(`${restricted}/device/qr.svg`).expect(200);
    await browser(MAC).get(`${restricted}/device/qr.png`).expect(200).expect('Content-Type', 'image/png');
    const bytes = ipa({ distribution: 'enterprise', info: { CFBundleVersion: '9' } });
    const { install_url: url } = await ann.uploads(project, { bytes, fileName: 'Demo.ipa' });
    expect((await browser().get(pathOf(url)).expect(200)).text).not.toContain('data-device=');
  });

  it('are described in German', async () => {
    const path = pathOf((await uploads([UDID])).install_url);
    expect((await browser().get(`${path}/device?lang=de`).expect(200)).text).toContain('Ich bin einverstanden');
  });

  it('are named and removed by their tester, several for each', async () => {
    const { path, id } = await invited(await uploads([UDID]));
    await registers(path);
    const second = new Phone(OTHER);
    await registers(path, second);
    second.remove();
    const [tablet, first] = await devices(`&tester_id=${id}`);
    const post = (target: string): supertest.Test => browser().post(target).type('form');
    expect((await post(`${path}/devices/${first!.id}`).send({ name: 'My <phone>' }).expect(200)).text).toContain(
      'My &lt;phone&gt;',
    );
    await post(`${path}/devices/${tablet!.id}/remove`).expect(200);
    await post(`${path}/devices/${tablet!.id}/remove`).expect(404);
    expect(await devices()).toEqual([expect.objectContaining({ id: first!.id, name: 'My <phone>' })]);
    const { install_url: url } = await uploads([UDID]);
    await post(`${pathOf(url)}/devices/${first!.id}/remove`).expect(404);
  });

  it('are listed without ids, which an audited request includes', async () => {
    const path = pathOf((await uploads([UDID])).install_url);
    await registers(path);
    expect((await devices())[0]).toMatchObject({ udid: null, registered_at: null, provisioned: true });
    await uploads([OTHER]);
    expect(await devices('&provisioned=true')).toEqual([]);
    const [device] = await devices('&provisioned=false&include=udid');
    expect(device!.udid).toBe(UDID);
    const events = await app.sql<{ type: string; payload: object }>(
      `SELECT type, payload FROM audit_event WHERE project_id = $1 AND type LIKE 'device%' ORDER BY id`,
      [project.id],
    );
    expect(events.map(({ type }) => type)).toEqual(['device.registered', 'devices.exported']);
    expect(JSON.stringify(events)).not.toContain(UDID);
    await tenant.member.get(`/devices?${scope(tenant.project)}`).expect(403);
  });

  it('are exported in the format of Apple, and imported from it', async () => {
    const { path } = await invited(await uploads([UDID]));
    await registers(path);
    const apple = (await ann.get(`/devices/export?${query}`).expect(200)).text;
    expect(apple).toBe(`Device ID\tDevice Name\tDevice Platform\n${UDID}\tTess iPhone 14 Pro 001E\tios\n`);
    // The checks of fastlane's register_devices: two or three columns behind a header.
    for (const line of apple.trimEnd().split('\n').slice(1)) expect([2, 3]).toContain(line.split('\t').length);
    const imports = (text: string, more = ''): supertest.Test =>
      ann.request('post', `/devices/import?${query}${more}`).set('Content-Type', 'text/csv').send(text);
    const added = `${apple}${OTHER}\tMy phone\tios\n`;
    expect((await imports(added, '&dry_run=true').expect(200)).body).toEqual({ created: 1, existing: 1 });
    expect(await devices()).toHaveLength(1);
    expect((await imports(added, '&registered=true').expect(200)).body).toEqual({ created: 1, existing: 1 });
    expect(await devices('&registered=true')).toHaveLength(2);
    // red when: the end of an exported name becomes a part of the name
    const again = (await ann.get(`/devices/export?${query}`).expect(200)).text;
    expect(again).toContain(apple.split('\n')[1]);
    await imports(again).expect(200);
    expect((await ann.get(`/devices/export?${query}`).expect(200)).text).toBe(again);
    const wrong = (await imports('udid,name\nabc,x\n').expect(400)).body as {
      details: { fields: { field: string }[] };
    };
    expect(wrong.details.fields.map(({ field }) => field)).toEqual(['line 2']);
    await imports(`udid,email\n${OTHER},nobody@example.com\n`).expect(400);
  });

  it('have cells that no spreadsheet evaluates', async () => {
    const file = `udid,name\n${OTHER},"=1+1"\n`;
    await ann.request('post', `/devices/import?${query}`).set('Content-Type', 'text/csv').send(file).expect(200);
    const read = async (format: string): Promise<string> =>
      (await ann.get(`/devices/export?${query}&format=${format}`).expect(200)).text;
    expect(await read('csv')).toContain(`${OTHER},'=1+1,`);
    expect(await read('apple')).toContain(`${OTHER}\t1+1 `);
  });

  it('are marked as registered', async () => {
    const path = pathOf((await uploads([UDID])).install_url);
    await registers(path);
    const ids = (await devices()).map(({ id }) => id);
    const mark = () => ann.post(`/devices/mark-registered?${query}`, { ids });
    expect((await mark().expect(200)).body).toEqual({ marked: 1 });
    expect((await mark().expect(200)).body).toEqual({ marked: 0 });
    expect(await devices('&registered=false')).toEqual([]);
  });

  // red when: a build that is restricted to no devices counts as one that leaves all of them out, or an unknown one does
  it('are compared only with a build that is restricted to devices', async () => {
    await registers(pathOf((await uploads([UDID])).install_url));
    const isProvisioned = async ({ id }: BuildJson): Promise<unknown> =>
      (await devices(`&build_id=${id}`)).map(({ provisioned }) => provisioned);
    expect(await isProvisioned(await uploads([OTHER]))).toEqual([false]);
    const enterprise = { bytes: ipa({ distribution: 'enterprise' }), fileName: 'Demo.ipa' };
    expect(await isProvisioned(await ann.uploads(project, enterprise))).toEqual([null]);
    const disk = { bytes: Buffer.from('the disk image'), fileName: 'Demo.dmg' };
    expect(await isProvisioned(await ann.uploads(project, disk, { platform: 'macos', version: '1.0.0' }))).toEqual([
      null,
    ]);
    const ofOthers = `${query}&build_id=${tenant.build.id}`;
    await ann.get(`/devices?${ofOthers}`).expect(404);
    await ann.get(`/devices/export?${ofOthers}`).expect(404);
  });

  // red when: a device that is removed meanwhile is answered without fields
  it('are named or removed when both are requested concurrently', async () => {
    const path = pathOf((await uploads([UDID])).install_url);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await registers(path);
      const [device] = await devices();
      const [{ status, body }] = await Promise.all([
        ann.patch(`/devices/${device!.id}?${query}`, { name: 'Phone' }),
        ann.request('delete', `/devices/${device!.id}?${query}`).expect(204),
      ]);
      expect(status === 404 || (body as DeviceJson).id === device!.id).toBe(true);
    }
  });

  // red when: the warning counts devices of the profile
  it('are counted when a build leaves them out, and named only to those who manage testers', async () => {
    const path = pathOf((await uploads([OTHER])).install_url);
    await registers(path);
    const left = await uploads([OTHER]);
    expect(left.warnings).toContainEqual({
      code: 'devices_missing',
      message: expect.stringMatching(/^1 known device was .* Register it with Apple/),
    });
    const [device] = await devices();
    const get = async (token: string): Promise<unknown> =>
      (await app.ci(token).get(`/builds/${left.id}/devices?${query}`).expect(200)).body;
    const counts = { provisioned: 1, included: 0, missing: 1 };
    const known = [{ device_id: device!.id, tester_id: null, name: 'iPhone 14 Pro', included: false }];
    expect(await get(ann.token)).toEqual({ ...counts, known });
    expect(await get(await ann.createsToken(project, 'VIEW_PROJECT'))).toEqual({ ...counts, known: null });
    const included = await uploads([UDID]);
    expect(included.warnings.map(({ code }) => code)).not.toContain('devices_missing');
  });

  // red when: the job mails every tester of the build, or mails again
  it('are mailed about once, when a build first includes them', async () => {
    const first = await uploads([OTHER]);
    const tess = await invited(first);
    const tom = await invited(first);
    expect(
      (
        await browser()
          .get(await registers(tess.path))
          .expect(200)
      ).text,
    ).toContain('You get a mail');
    await uploads([UDID]);
    const mail = await app.mailbox.latest(tess.email, 2);
    expect(mail.subject).toContain('now runs on your device');
    expect(`${mail.text}${mail.html}`).not.toContain(UDID);
    await uploads([UDID]);
    await app.runsJob('builds.seal-devices');
    expect(await app.mailbox.all(tess.email)).toHaveLength(2);
    expect(await app.mailbox.all(tom.email)).toHaveLength(1);
    const included = await app.sql(`SELECT FROM audit_event WHERE organization_id = $1 AND type = 'device.included'`, [
      tenant.organization.id,
    ]);
    expect(included).toHaveLength(1);
  });

  it('are in an export of the organization, with their ids', async () => {
    await registers(pathOf((await uploads([UDID])).install_url));
    const subject = { kind: 'organization', id: tenant.organization.id, label: 'Acme' } as const;
    const target = new PassThrough();
    const read = buffer(target);
    const exports = app.nest.get(ExportService, { strict: false });
    await exports.export(app.systemContext, subject, target, { artifacts: false }, () => undefined);
    const files = await unzipped(await read);
    for (const name of ['devices.json', 'build_devices.json']) {
      const text = files.get(name)!.toString();
      expect(text).toContain(`"udid":"${UDID}"`);
      expect(text).not.toContain('sealed');
    }
  });

  // red when: the rows of builds stay
  it('are erased with their tester, also from the builds of the project', async () => {
    const { path, id } = await invited(await uploads([UDID, OTHER]));
    await registers(path);
    await ann.delete(`/testers/${id}?${query}`).expect(204);
    expect(await devices()).toEqual([]);
    const left = await app.sql(`SELECT FROM build_device WHERE project_id = $1`, [project.id]);
    expect(left).toHaveLength(1);
    expect(app.logLines.join('')).not.toContain(UDID);
  });
});
