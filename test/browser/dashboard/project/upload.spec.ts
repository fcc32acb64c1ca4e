import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Locator, type Page } from 'playwright-core';
import {
  type ChannelJson,
  Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { aab, apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { setBalance } from '../../../support/checks/billing-consistency';
import { type CloudPlace, isPart, onS3 } from '../../../support/servers/stores/cloud-places';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk } from '../desk';

const MB = 1_000_000;
const PART_BYTES = 8 * 1024 * 1024;

interface BuildOfList {
  readonly id: string;
  readonly file_name: string;
  readonly notes: string | null;
}

/** An app whose package has about this many bytes. */
const appOf = (bytes: number): Buffer =>
  apk({ files: [{ name: 'assets/film.bin', data: randomBytes(bytes), method: 0 }] });

/** Limits how fast the page sends. 0: no limit. */
async function limitUploads({ page }: Visit, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const uploadThroughput = bytesPerSecond === 0 ? -1 : bytesPerSecond;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  });
}

/**
 * Holds back all parts after the first `count`, so that no upload ends before the next step of the test, however long that takes.
 * @returns a function that lets them go.
 */
async function holdParts({ page }: Visit, count: number): Promise<() => void> {
  let sent = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/builds/uploads/parts/*', async (route) => {
    sent += 1;
    if (sent > count) await released;
    // A reload cancels a request that is held.
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** Counts the parts that the page sends. */
function countParts(page: Page): { readonly numbers: () => number } {
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/builds/uploads/parts/')) sent += 1;
  });
  return { numbers: () => sent };
}

describe('an upload in the dashboard', () => {
  let desk: Desk;
  let folder: string;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agate-upload-'));
    desk = await Desk.start({ MAX_UPLOAD_BYTES: String(100 * MB) });
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
  });
  beforeEach(async () => {
    // On a slow machine, the tests take longer than a token is valid.
    ann = await Developer.logIn(desk.app.url, ann.email, ann.password);
    project = await ann.createsProject(organization);
    beta = await ann.createsChannel(project, 'Beta');
    visit = await desk.open(ann, `/o/${organization.id}/p/${project.id}/builds`);
    page = visit.page;
  });
  afterEach(() => desk.endVisits());
  afterAll(async () => {
    await desk?.stop();
    await rm(folder, { recursive: true });
  });

  const panel = (): Locator => page.getByRole('complementary', { name: 'Uploads', exact: true });
  const row = (name: string): Locator => panel().getByRole('group', { name, exact: true });
  const button = (name: string): Locator => panel().getByRole('button', { name, exact: true });
  const bar = (name: string): Locator => panel().getByRole('progressbar', { name, exact: true });
  const shareOf = (name: string): Promise<number> =>
    bar(name).evaluate((element) => (element as unknown as { position: number }).position);
  const status = (text: string): Locator => panel().getByRole('status').filter({ hasText: text });
  const saved = async (name: string, bytes: Buffer): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    return file;
  };
  /** Presses a button that opens the file chooser, and chooses files. */
  const choose = async (opener: Locator, ...files: string[]): Promise<void> => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), opener.click()]);
    await chooser.setFiles(files);
  };
  const upload = (...files: string[]): Promise<void> =>
    choose(page.getByRole('button', { name: 'Upload build', exact: true }), ...files);
  const discard = async (): Promise<void> => {
    await button('Discard').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard upload', exact: true }).click();
  };
  const builds = async (): Promise<readonly BuildOfList[]> =>
    ((await ann.get(`/builds?${scope(project)}`).expect(200)).body as { items: BuildOfList[] }).items;
  /** Reloads the page and confirms the browser's question whether to leave it. */
  const reloadWhileSending = async (): Promise<void> => {
    page.removeAllListeners('dialog');
    const asked = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.accept();
      return dialog.type();
    });
    await page.reload();
    expect(await asked).toBe('beforeunload');
  };
  /** Drops files on the page, as from a file manager. */
  const drop = async (...files: { name: string; bytes: Buffer }[]): Promise<void> => {
    const content = files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }));
    const transfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of ${JSON.stringify(content)}) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      return transfer;
    })()`);
    for (const type of ['dragenter', 'dragover', 'drop']) {
      await page.dispatchEvent('main', type, { dataTransfer: transfer });
    }
  };

  it('is paused, resumed and described while it sends, continues over navigation, and its build appears in the list', async () => {
    const file = await saved('Rocket.apk', appOf(40 * MB));
    await limitUploads(visit, 4 * MB);
    const release = await holdParts(visit, 2);
    await page.evaluate(`window.seen = []; window.said = ''; new MutationObserver(() => {
      const bar = document.querySelector('aside progress');
      if (bar) window.seen.push(bar.value);
      window.said += document.querySelector('aside')?.innerText;
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })`);
    await upload(file);
    await bar('Rocket.apk').waitFor();
    await panel().getByRole('textbox', { name: 'What to test', exact: true }).fill('The new engine.');
    await panel().getByRole('combobox', { name: 'Promote to', exact: true }).selectOption({ label: 'Beta' });
    await button('Pause').click();
    await status('Paused').waitFor();
    await desk.expectAccessible(visit, 'upload-paused');
    await page.getByRole('link', { name: 'Channels', exact: true }).first().click();
    await page.waitForURL('**/channels');
    await button('Resume').click();
    await page.getByRole('link', { name: 'Builds', exact: true }).first().click();
    await page.waitForURL('**/builds');
    expect(await builds()).toEqual([]);
    await limitUploads(visit, 0);
    release();

    await panel().getByRole('link', { name: 'Open build', exact: true }).waitFor();
    await status('Promoted to Beta').waitFor();
    const [build] = await builds();
    expect(build).toMatchObject({ file_name: 'Rocket.apk', notes: 'The new engine.' });
    const { body } = await ann.get(`/channels/${beta.id}?${scope(project)}`);
    expect((body as ChannelJson & { current: { build: { id: string } }[] }).current).toHaveLength(1);
    const table = page.getByRole('table', { name: 'Builds', exact: true });
    await table.getByRole('link', { name: '1.2.3 (42)', exact: true }).waitFor();
    const seen = await page.evaluate<number[]>('window.seen');
    expect(seen.length).toBeGreaterThan(10);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(await page.evaluate<string>('window.said')).toContain('Reading the app…');
    await desk.expectAccessible(visit, 'upload-done');
    await panel().getByRole('link', { name: 'Open build', exact: true }).click();
    await page.waitForURL(`**/builds/${build?.id}`);
  });

  it('accepts files that are dropped anywhere, and an invalid file does not block the other', async () => {
    await drop({ name: 'Good.apk', bytes: apk() }, { name: 'Bad.ipa', bytes: ipa().subarray(0, 900) });
    await row('Good.apk').getByRole('link', { name: 'Open build', exact: true }).waitFor();
    const alert = row('Bad.ipa').getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('Build or copy');
    expect((await builds()).map(({ file_name: name }) => name)).toEqual(['Good.apk']);
    // Chromium logs the refused request.
    visit.problems.length = 0;
    await desk.expectAccessible(visit, 'upload-refused');
    expect(await row('Bad.ipa').getByRole('button', { name: 'Retry', exact: true }).count()).toBe(0);
    await row('Bad.ipa').getByRole('button', { name: 'Close', exact: true }).click();
    await row('Bad.ipa').waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Uploads');
  });

  it('that a reload interrupts continues with the same file and sends only the missing parts', async () => {
    const file = await saved('big.apk', appOf(60 * MB));
    const other = await saved('other.apk', apk());
    await limitUploads(visit, 8 * MB);
    const release = await holdParts(visit, 5);
    await upload(file);
    await bar('big.apk').waitFor();
    await panel().getByRole('textbox', { name: 'What to test', exact: true }).fill('The film.');
    await until(async () => (await shareOf('big.apk')) > 0.5);
    await reloadWhileSending();

    const unfinished = page.getByRole('region', { name: 'Unfinished uploads', exact: true });
    await unfinished.waitFor();
    await desk.expectAccessible(visit, 'upload-unfinished');
    await limitUploads(visit, 0);
    release();
    const parts = countParts(page);
    await choose(unfinished.getByRole('button', { name: 'Continue big.apk', exact: true }), other);
    await unfinished.getByRole('alert').filter({ hasText: 'This is another file.' }).waitFor();
    await visit.screenshot('dashboard-upload-other-file');
    expect(parts.numbers()).toBe(0);

    await choose(unfinished.getByRole('button', { name: 'Continue big.apk', exact: true }), file);
    await panel().getByRole('link', { name: 'Open build', exact: true }).waitFor();
    expect(parts.numbers()).toBeGreaterThan(0);
    expect(parts.numbers()).toBeLessThan(Math.ceil((60 * MB) / PART_BYTES));
    // The notes are sent after the build exists.
    await until(async () => (await builds())[0]?.notes === 'The film.');
    expect(await builds()).toMatchObject([{ file_name: 'big.apk', notes: 'The film.' }]);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await panel().count()).toBe(0);
  });

  it('waits while there is no network, and then continues automatically', async () => {
    const file = await saved('Offline.apk', appOf(20 * MB));
    await limitUploads(visit, 4 * MB);
    const release = await holdParts(visit, 1);
    await upload(file);
    await until(async () => (await shareOf('Offline.apk')) > 0.1);
    await page.context().setOffline(true);
    await status('Waiting for the network').waitFor();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await page.context().setOffline(false);
    await limitUploads(visit, 0);
    release();
    await panel().getByRole('link', { name: 'Open build', exact: true }).waitFor();
    // Chromium logs each request that fails without a network.
    visit.problems.length = 0;
  });

  // red when: three parts begin at once. None of them has arrived when a third of the file was sent
  it('keeps what a slow line has sent when a reload interrupts it', async () => {
    const file = await saved('slow.apk', appOf(30 * MB));
    await limitUploads(visit, 4 * MB);
    await holdParts(visit, 3);
    await upload(file);
    await until(async () => (await shareOf('slow.apk')) > 0.45);
    await reloadWhileSending();
    await panel()
      .getByText(/^[1-9]\d?(\.\d)?\sMB of 3\d\sMB arrived$/)
      .waitFor();
    await button('Discard').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard upload', exact: true }).click();
    await panel().waitFor({ state: 'detached' });
  });

  it('says how fast it is and how long it takes, also in the title of the tab', async () => {
    const file = await saved('Timed.apk', appOf(40 * MB));
    await limitUploads(visit, 4 * MB);
    await upload(file);
    await row('Timed.apk')
      .getByText(/\sMB\/s · (5|10|15) seconds left$/)
      .waitFor();
    expect(await page.title()).toMatch(/^\d+% · Builds · /);
    await visit.screenshot('dashboard-upload-speed');
    await limitUploads(visit, 0);
    await panel().getByRole('link', { name: 'Open build', exact: true }).waitFor();
    await until(async () => (await page.title()).startsWith('Builds · '));
  });

  // red when: permission is asked for without a click, or a notification is shown to a reader who sees the page
  it('notifies when it is done, if a click has allowed it and the reader looks elsewhere', async () => {
    await page.evaluate(`window.asked = 0; window.told = [];
      window.Notification = class {
        static permission = 'default';
        static requestPermission() { window.asked += 1; return Promise.resolve((this.permission = 'granted')); }
        constructor(title) { window.told.push(title); }
      }`);
    const told = (): Promise<string[]> => page.evaluate('window.told');
    const releaseSeen = await holdParts(visit, 1);
    await upload(await saved('Seen.apk', appOf(9 * MB)));
    await bar('Seen.apk').waitFor();
    expect(await page.evaluate<number>('window.asked')).toBe(0);
    await button('Notify me when done').click();
    await button('Notify me when done').waitFor({ state: 'detached' });
    releaseSeen();
    await row('Seen.apk').getByRole('link', { name: 'Open build', exact: true }).waitFor();
    expect(await told()).toEqual([]);
    const releaseUnseen = await holdParts(visit, 1);
    await upload(await saved('Unseen.apk', appOf(9 * MB)));
    await bar('Unseen.apk').waitFor();
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true })`);
    releaseUnseen();
    await until(async () => (await told()).length > 0);
    expect(await told()).toEqual(['Unseen.apk was uploaded.']);
  });

  // red when: files that are dropped outside of a project are refused, or go to a project of another app
  it('finds the project of an app by its bundle id when it is dropped on a screen of the organization', async () => {
    await ann.uploads(project, { bytes: apk({ packageName: 'com.acme.kite' }), fileName: 'kite.apk' });
    const { name } = (await ann.get(`/projects/${project.id}?organization_id=${organization.id}`))
      .body as ProjectRef & {
      name: string;
    };
    await desk.go(visit, `/o/${organization.id}`);
    await drop(
      { name: 'Kite-1.3.apk', bytes: apk({ packageName: 'com.acme.kite', versionName: '1.3' }) },
      { name: 'kite.aab', bytes: aab({ packageName: 'com.acme.kite' }) },
      {
        name: 'Balloon.ipa',
        bytes: ipa({ info: { CFBundleIdentifier: 'com.acme.balloon', CFBundleDisplayName: 'Balloon' } }),
      },
      {
        name: 'Balloon 2.ipa',
        bytes: ipa({ binary: false, info: { CFBundleIdentifier: 'com.acme.balloon', CFBundleDisplayName: 'Balloon' } }),
      },
      { name: 'Tool.dmg', bytes: Buffer.from('a disk image') },
    );
    const question = page.getByRole('dialog', { name: 'Which project?', exact: true });
    const chosen = (file: string): Promise<string> =>
      question
        .getByRole('combobox', { name: file, exact: true })
        .evaluate((select) => (select as unknown as { selectedOptions: { text: string }[] }).selectedOptions[0]!.text);
    await question.getByRole('combobox', { name: 'Tool.dmg', exact: true }).waitFor();
    expect(
      await Promise.all(['Kite-1.3.apk', 'kite.aab', 'Balloon.ipa', 'Balloon 2.ipa', 'Tool.dmg'].map(chosen)),
    ).toEqual([name, name, 'Create Balloon', 'Create Balloon', 'Choose a project']);
    await desk.expectAccessible(visit, 'upload-which-project');
    await question.getByRole('combobox', { name: 'Tool.dmg', exact: true }).selectOption({ label: name });
    await question.getByRole('button', { name: 'Upload', exact: true }).click();
    for (const file of ['Kite-1.3.apk', 'Balloon.ipa', 'Balloon 2.ipa'])
      await row(file).getByRole('link', { name: 'Open build', exact: true }).waitFor();
    await row('Tool.dmg').getByRole('button', { name: 'Start upload', exact: true }).waitFor();
    const { items } = (await ann.get(`/projects?organization_id=${organization.id}&bundle_id=com.acme.balloon`))
      .body as {
      items: { name: string }[];
    };
    expect(items).toMatchObject([{ name: 'Balloon' }]);
    expect((await builds()).map((build) => build.file_name)).toContain('Kite-1.3.apk');
  });

  it('that a reload interrupts continues with one click where the browser can open the file again', async () => {
    // A drop from a file manager cannot be simulated: a file of the page's own file system takes its place.
    await page.evaluate(`(async () => {
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle('Again.dmg', { create: true });
      const stream = await handle.createWritable();
      await stream.write(new Uint8Array(20_000_000));
      await stream.close();
      DataTransferItem.prototype.getAsFileSystemHandle = () => Promise.resolve(handle);
      const transfer = new DataTransfer();
      transfer.items.add(await handle.getFile());
      window.transfer = transfer;
    })()`);
    const release = await holdParts(visit, 1);
    const transfer = await page.evaluateHandle('window.transfer');
    for (const type of ['dragover', 'drop']) await page.dispatchEvent('main', type, { dataTransfer: transfer });
    await panel().getByRole('textbox', { name: 'Version', exact: true }).fill('3.0');
    await panel().getByRole('combobox', { name: 'Platform', exact: true }).selectOption('macos');
    await button('Start upload').click();
    await until(async () => (await shareOf('Again.dmg')) > 0.1);
    await reloadWhileSending();
    release();
    await button('Continue Again.dmg').click();
    await panel().getByRole('link', { name: 'Open build', exact: true }).waitFor();
    expect(await builds()).toMatchObject([{ file_name: 'Again.dmg', version: '3.0' }]);
  });

  it('is not listed as unfinished in a second tab while the first tab sends it', async () => {
    const file = await saved('Tabs.apk', appOf(10 * MB));
    await holdParts(visit, 1);
    await upload(file);
    await until(async () => (await shareOf('Tabs.apk')) > 0);
    await button('Pause').click();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByRole('heading', { name: 'Builds', exact: true }).waitFor();
    expect(await second.getByRole('complementary', { name: 'Uploads', exact: true }).count()).toBe(0);
    await discard();
  });

  it('that is discarded does not appear again after a reload', async () => {
    const file = await saved('Discarded.apk', appOf(20 * MB));
    await holdParts(visit, 1);
    await upload(file);
    await until(async () => (await shareOf('Discarded.apk')) > 0.05);
    // red when: one click ends an upload
    await button('Discard').click();
    const question = page.getByRole('alertdialog', { name: 'Discard Discarded.apk?', exact: true });
    await desk.expectAccessible(visit, 'upload-discard');
    await question.getByRole('button', { name: 'Cancel', exact: true }).click();
    await bar('Discarded.apk').waitFor();
    await discard();
    await panel().waitFor({ state: 'detached' });
    const open = async (): Promise<number> =>
      ((await ann.get(`/builds/uploads?${scope(project)}`)).body as { items: unknown[] }).items.length;
    await until(async () => (await open()) === 0);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await panel().count()).toBe(0);
  });

  it('that is too large is rejected before a byte is sent', async () => {
    const file = await saved('Huge.apk', Buffer.alloc(0));
    await truncate(file, 101 * MB);
    const requests: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && requests.push(request.url()));
    await upload(file);
    const alert = row('Huge.apk').getByRole('alert');
    await alert.waitFor();
    expect((await alert.innerText()).replaceAll('\u00a0', ' ')).toContain(
      'This file has 101 MB; at most 100 MB are accepted.',
    );
    expect(requests).toEqual([]);
  });

  it.each([
    { plan: 'team', act: 'Add credit', sums: /costs \$0\.000\d+; \$0\.0001 is available/ },
    { plan: 'business', act: 'Raise the cap', sums: /costs \$0\.000\d+; \$0\.00 is available/ },
  ] as const)('that the money on the plan $plan does not cover names both sums and leads to "$act"', async (given) => {
    const poor = await ann.createsOrganization('Poor');
    if (given.plan === 'business') await ann.changesPlan(poor, 'business');
    project = await ann.createsProject(poor);
    const limit = async (microDollars: number): Promise<void> => {
      if (given.plan === 'team') await setBalance(desk.app, poor.id, BigInt(microDollars));
      else await ann.patch(`/organizations/${poor.id}/billing`, { spend_cap_micro_usd: microDollars }).expect(200);
    };
    await limit(given.plan === 'team' ? 100 : 0);
    await desk.go(visit, `/o/${poor.id}/p/${project.id}/builds`);
    await upload(await saved('Costly.apk', appOf(9 * MB)));
    const alert = row('Costly.apk').getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(given.sums);
    expect(await panel().getByRole('link', { name: given.act, exact: true }).getAttribute('href')).toBe(
      `/o/${poor.id}/billing`,
    );
    // Chromium logs the refused request.
    visit.problems.length = 0;
    await desk.expectAccessible(visit, `upload-without-money-${given.plan}`);
    await limit(5_000_000);
    await button('Retry').click();
    await panel().getByRole('link', { name: 'Open build', exact: true }).waitFor();
  });

  it('of another kind of file is sent after its version and platform are known', async () => {
    const file = await saved('Rocket.dmg', Buffer.from('a disk image'));
    await upload(file);
    await panel().getByRole('textbox', { name: 'Version', exact: true }).fill('3.0');
    await panel().getByRole('combobox', { name: 'Platform', exact: true }).selectOption('macos');
    // red when: the button that starts the upload stands before a field of it
    const start = (await button('Start upload').boundingBox())!;
    expect(start.y).toBeGreaterThan((await panel().getByLabel('Promote to', { exact: true }).boundingBox())!.y);
    await visit.screenshot('dashboard-upload-details');
    await button('Start upload').click();
    await panel().getByRole('link', { name: 'Open build', exact: true }).waitFor();
    expect(await builds()).toMatchObject([{ file_name: 'Rocket.dmg', version: '3.0', platform: 'macos' }]);
  });

  // red when: edits are shown as late as progress
  it('keeps every character that is typed while bytes are sent', async () => {
    const file = await saved('Typed.apk', appOf(20 * MB));
    await limitUploads(visit, 3 * MB);
    await holdParts(visit, 2);
    await upload(file);
    await button('Pause').waitFor();
    const notes = panel().getByRole('textbox', { name: 'What to test', exact: true });
    await notes.pressSequentially('Every character stays.');
    expect(await notes.inputValue()).toBe('Every character stays.');
  });

  it('can be controlled by keyboard alone, in German', async () => {
    const german = await desk.open(ann, `/o/${organization.id}/p/${project.id}/builds`, { language: 'de' });
    page = german.page;
    const file = await saved('Rakete.apk', appOf(20 * MB));
    const release = await holdParts(german, 1);
    const choose = page.getByRole('button', { name: 'Build hochladen', exact: true });
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.press('Enter')]);
    await chooser.setFiles(file);
    await button('Anhalten').focus();
    await page.keyboard.press('Enter');
    await status('Angehalten').waitFor();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Fortsetzen');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Die neue Rakete.');
    expect(await panel().getByRole('textbox', { name: 'Was zu testen ist', exact: true }).inputValue()).toBe(
      'Die neue Rakete.',
    );
    await desk.expectAccessible(german, 'upload-german');
    await button('Fortsetzen').focus();
    await page.keyboard.press('Space');
    release();
    await panel().getByRole('link', { name: 'Build öffnen', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/builds/*');
    await until(async () => (await builds())[0]?.notes === 'Die neue Rakete.');
    expect(await builds()).toMatchObject([{ file_name: 'Rakete.apk' }]);
  });
});

describe('an upload in the dashboard to an S3 bucket', () => {
  let desk: Desk;
  let store: CloudPlace;
  beforeAll(async () => {
    store = await onS3();
    desk = await Desk.start(store.environment);
  });
  afterEach(() => desk.endVisits());
  afterAll(async () => {
    await desk?.stop();
    await store?.proxy.stop();
  });

  it('sends its parts through the service', async () => {
    const ann = await desk.app.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    const visit = await desk.open(ann, `/o/${project.organizationId}/p/${project.id}/builds`);
    const { page } = visit;
    const parts = countParts(page);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload build', exact: true }).click(),
    ]);
    await chooser.setFiles({ name: 'Cloud.apk', mimeType: '', buffer: appOf(17 * MB) });
    await page.getByRole('link', { name: 'Open build', exact: true }).waitFor();
    expect(parts.numbers()).toBe(3);
    expect(store.proxy.seen.filter(isPart)).toHaveLength(3);
    expect(store.unfinished()).toEqual([]);
  });
});
