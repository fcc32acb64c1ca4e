import { setTimeout as sleep } from 'node:timers/promises';
import { type Locator, type Page } from 'playwright-core';
import { encode } from 'uqr';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { READERS, type Visit } from '../../browser';
import { Desk, PHONE } from '../desk';

const NINE_DAYS = 9 * 86_400_000;
/** By then, an event has arrived, and the page has requested what it affects. */
const AN_EVENT_MS = 2_500;

const rocket = (version: string, build: number, minimum: string, expiresAt?: Date): Buffer =>
  ipa({
    info: {
      CFBundleDisplayName: 'Rocket',
      CFBundleName: 'Rocket',
      CFBundleIdentifier: 'com.acme.rocket',
      CFBundleShortVersionString: version,
      CFBundleVersion: String(build),
      MinimumOSVersion: minimum,
      NSCameraUsageDescription: 'Rocket scans the codes of tickets.',
    },
    applicationId: 'ABCDE12345.com.acme.rocket',
    expiresAt,
  });

/** The dark modules of the QR code of a text, as the page draws them. */
const pathOf = (text: string): string =>
  encode(text, { ecc: 'M', border: 3 })
    .data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    .join('');

/** The names of the buttons and links of the screen that are in the colour of a primary action. */
const primaryActions = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const main = document.querySelector('main');
    const sample = main.appendChild(document.createElement('i'));
    sample.style.background = 'var(--accent)';
    const accent = getComputedStyle(sample).backgroundColor;
    sample.remove();
    return [...main.querySelectorAll('a, button')]
      .filter((one) => one.checkVisibility() && getComputedStyle(one).backgroundColor === accent)
      .map((one) => one.innerText);
  })()`);

/** The page of a build, its deletion and its promotion. */
describe('a build in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let store: ChannelJson;
  let before: BuildJson;
  let build: BuildJson;
  let testers: string[];
  let visit: Visit;
  let page: Page;

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    await ann.patch('/developers/me', { name: 'Ann' }).expect(200);
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    beta = await ann.createsChannel(project, 'Beta');
    store = await ann.createsChannel(project, 'Store');
    const file = (bytes: Buffer) => ({ bytes, fileName: 'Rocket.ipa' });
    before = await ann.uploads(project, file(rocket('2.0.9', 209, '15.0')), { branch: 'release/2' });
    build = await ann.uploads(
      project,
      file(rocket('2.1.0', 210, '16.0', new Date(desk.app.clock.now().getTime() + NINE_DAYS))),
      {
        branch: 'main',
        commit: 'a1b2c3d4e5f6',
        ci_url: 'https://ci.example.com/jobs/210',
        pull_request: '12',
        pull_request_url: 'https://git.example.com/acme/rocket/pull/12',
        notes: 'The new login.',
      },
    );
    await ann.promotes(project, store, before);
    await ann.promotes(project, beta, before);
    testers = ['tess@example.com', 'bob@example.com'];
    for (const email of testers) {
      const { body } = await ann.post(`/testers?${scope(project)}`, { email }).expect(201);
      const { id } = body as { id: string };
      await ann.request('put', `/testers/${id}/subscriptions/${beta.id}?${scope(project)}`).expect(200);
    }
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const address = (of: { id: string } = build): string => `/o/${organization.id}/p/${project.id}/builds/${of.id}`;
  const open = async (path = address(), options = {}, developer = ann): Promise<void> => {
    visit = await desk.open(developer, path, options);
    page = visit.page;
  };
  const heading = (name: string): Locator => page.getByRole('heading', { name, exact: true });
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
  const status = (text: string): Locator => page.getByRole('status').filter({ hasText: text });
  const hasFocus = (element: Locator): Promise<void> => element.and(page.locator(':focus')).waitFor();
  /** Pastes the copied text into the notes, because the page may not read the clipboard. */
  const copied = async (): Promise<string> => {
    await button('Edit notes').click();
    const field = page.getByRole('textbox', { name: 'What to test', exact: true });
    await field.fill('');
    await field.press('Control+V');
    const text = await field.inputValue();
    await button('Cancel').click();
    return text;
  };
  const act = async (name: string): Promise<void> => {
    await button('More actions').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const upload = (version: string, number: number): Promise<BuildJson> =>
    ann.uploads(project, { bytes: rocket(version, number, '16.0'), fileName: 'Rocket.ipa' });
  /** Deletes a build when no page shows it any more: an open one would request it again and report the 404. */
  const discard = async (of: BuildJson): Promise<void> => {
    await desk.endVisits();
    await ann.delete(`/builds/${of.id}?${scope(project)}&permanently=true`).expect(204);
  };

  it('shows its facts, its channels and its changes', async () => {
    await open();
    await heading('Rocket 2.1.0 (210)').waitFor();
    expect(await page.title()).toBe('2.1.0 (210) · Rocket · Agate');
    await region('Warnings').getByText('The provisioning profile expires on').waitFor();
    await region('What to test').getByText('The new login.', { exact: true }).waitFor();
    await region('Facts').getByText('com.acme.rocket', { exact: true }).waitFor();
    await region('Facts').getByText('iOS 16.0', { exact: true }).waitFor();
    const pullRequest = region('Facts').getByRole('link', { name: /^#12/ });
    expect(await pullRequest.getAttribute('href')).toBe('https://git.example.com/acme/rocket/pull/12');
    expect(await pullRequest.count()).toBe(1);
    const commit = region('Facts').getByRole('link', { name: /^a1b2c3d4e5f6/ });
    expect(await commit.getAttribute('href')).toBe('https://git.example.com/acme/rocket/commit/a1b2c3d4e5f6');
    const hash = region('Facts').getByText('SHA-256', { exact: true });
    expect(await hash.isVisible()).toBe(false);
    await region('Facts').getByText('File, hash and exact time', { exact: true }).click();
    await hash.waitFor();
    await region('Signing and permissions').getByText('Example GmbH').first().waitFor();
    await region('Permissions').getByText('Rocket scans the codes of tickets.', { exact: true }).waitFor();
    await region('In channels').getByRole('link', { name: '2.0.9 (209)', exact: true }).first().waitFor();
    await region('Who has it').getByText('Nobody has installed it yet.').waitFor();
    await region('Since 2.0.9 (209)').getByText('iOS 15.0 → iOS 16.0', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'build');
  });

  // red when: a phone shows the QR code that it cannot scan itself
  it('shows no QR code on a phone', async () => {
    const phone = await desk.open(ann, address(build), { reader: PHONE });
    await phone.page.getByRole('button', { name: 'Copy install link', exact: true }).waitFor();
    expect(await phone.page.getByRole('img', { name: 'QR code of the install link', exact: true }).count()).toBe(0);
  });

  it('gives the install link as text and as QR code', async () => {
    await open();
    await region('Install and channels').getByRole('button', { name: 'Copy install link', exact: true }).press('Enter');
    await status('Copied').waitFor();
    expect(await copied()).toBe(build.install_url);
    const code = region('Install and channels').getByRole('img', { name: 'QR code of the install link', exact: true });
    expect(await code.locator('path').getAttribute('d')).toBe(pathOf(build.install_url));
    await act('Copy as curl');
    await status('Copied').first().waitFor();
    const curl = await copied();
    expect(curl).toContain(`/api/v1/builds/${build.id}?organization_id=${organization.id}&project_id=${project.id}`);
    expect(curl).toContain('$AGATE_TOKEN');
  });

  // red when: the dashboard shows the marks of notes as they were typed, or runs what they contain
  it('shows the notes with their marks, and nothing of them is markup', async () => {
    const own = await upload('2.0.2', 202);
    const notes =
      '**New** *and* `fast`\n- One\n- Two\n\n<script>x</script> [a](javascript:alert(1)) [b](https://x.example)';
    await ann.patch(`/builds/${own.id}?${scope(project)}`, { notes }).expect(200);
    await open(address(own));
    const shown = region('What to test');
    await shown.getByText('New', { exact: true }).waitFor();
    const marks = await Promise.all(['strong', 'em', 'code', 'li', 'script'].map((tag) => shown.locator(tag).count()));
    expect(marks).toEqual([1, 1, 1, 2, 0]);
    await shown.getByText('<script>x</script> [a](javascript:alert(1))').waitFor();
    expect(await shown.getByRole('link').evaluateAll((links) => links.map(String))).toEqual(['https://x.example/']);
    await discard(own);
  });

  // red when: a reload loses what was typed
  it('edits the notes in place, by the keyboard, and keeps a draft over a reload', async () => {
    const own = await upload('2.0.1', 201);
    await open(address(own));
    await button('Edit notes').press('Enter');
    const field = page.getByRole('textbox', { name: 'What to test', exact: true });
    await field.pressSequentially('The payment.');
    await page.reload();
    expect(await field.inputValue()).toBe('The payment.');
    await field.press('End');
    await field.pressSequentially(' With 3 kinds of cards.');
    await button('Save notes').press('Enter');
    await region('What to test').getByText('The payment. With 3 kinds of cards.', { exact: true }).waitFor();
    await hasFocus(button('Edit notes'));
    await page.reload();
    await region('What to test').getByText('The payment. With 3 kinds of cards.', { exact: true }).waitFor();
    await discard(own);
  });

  it('downloads the file and leads to the comparison with the build before', async () => {
    await open();
    const [download] = await Promise.all([page.waitForEvent('download'), act('Download file')]);
    expect(download.suggestedFilename()).toContain('.ipa');
    await download.delete();
    await act('Compare with…');
    await heading('Compare builds').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(before.id);
    await region('What changes').getByText('Minimum OS', { exact: true }).waitFor();
  });

  // red when: the screen of the build requests it again before the deletion is answered
  it('is deleted after a confirmation, which returns the focus on Escape', async () => {
    const own = await upload('2.0.2', 202);
    await open(address(own));
    await act('Delete build');
    const question = page.getByRole('alertdialog', { name: 'Delete 2.0.2 (202)?', exact: true });
    await hasFocus(question.getByRole('button', { name: 'Cancel', exact: true }));
    expect(await visit.accessibilityIssues()).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await hasFocus(button('More actions'));
    await act('Delete build');
    await page.route(`**/api/v1/builds/${own.id}?*`, async (route) => {
      const response = await route.fetch();
      if (route.request().method() === 'DELETE') {
        await sleep(AN_EVENT_MS);
        await ann.patch(`/builds/${before.id}?${scope(project)}`, { notes: 'Fewer bugs.' }).expect(200);
        await sleep(AN_EVENT_MS);
      }
      await route.fulfill({ response });
    });
    await question.getByRole('button', { name: 'Delete build', exact: true }).press('Enter');
    await heading('Builds').waitFor();
    await status('2.0.2 (202) is in the trash for seven days.').waitFor();
    await ann.get(`/builds/${own.id}?${scope(project)}`).expect(404);
    expect(await page.getByRole('link', { name: '2.0.2 (202)', exact: true }).count()).toBe(0);
  });

  it('is not deleted while it is current; the dialog links to the channels', async () => {
    await open(address(before));
    await act('Delete build');
    const question = page.getByRole('alertdialog', { name: 'Delete 2.0.9 (209)?', exact: true });
    await question.getByText('This build is current in Beta and Store.').first().waitFor();
    await visit.screenshot('dashboard-build-delete-current');
    expect(await visit.accessibilityIssues()).toEqual([]);
    const confirm = question.getByRole('button', { name: 'Delete build', exact: true });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await question.getByRole('link', { name: 'Open Beta', exact: true }).click();
    await page.waitForURL(`**/channels/${beta.id}`);
  });

  // red when: the dialog closes by a press that began inside, or loses the notes; the mails do not follow
  it('shows the differences before it is promoted, by the keyboard', async () => {
    await open();
    await button('Promote').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Promote 2.1.0 (210)', exact: true });
    await dialog.waitFor();
    const channel = dialog.getByRole('combobox', { name: 'Channel', exact: true });
    await until(async () => (await channel.inputValue()) === beta.id);
    const notes = dialog.getByRole('textbox', { name: 'Notes for testers', exact: true });
    expect(await notes.inputValue()).toBe('The new login.');
    const changes = dialog.getByRole('region', { name: 'What changes for testers', exact: true });
    for (const text of ['Version', 'Size', 'Minimum OS', 'Certificate', '2.0.9 (209)', '2.1.0 (210)', 'iOS 16.0']) {
      await changes.getByText(text, { exact: true }).first().waitFor();
    }
    await changes.getByText('2 testers will be mailed.', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'promote');

    await notes.press('End');
    await notes.pressSequentially(' And the menu.');
    const box = (await notes.boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(4, 4);
    await page.mouse.up();
    expect(await notes.inputValue()).toBe('The new login. And the menu.');
    await page.reload();
    expect(await notes.inputValue()).toBe('The new login. And the menu.');

    await dialog.getByRole('button', { name: 'Promote', exact: true }).press('Enter');
    await status('2.1.0 (210) is current in Beta.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await region('In channels').getByText('current', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    const { body } = await ann.get(`/channels/${beta.id}?${scope(project)}`).expect(200);
    expect(body).toMatchObject({ current: [{ build_id: build.id }] });
    await desk.app.mailsReleases();
    for (const email of testers) {
      expect((await desk.app.mailbox.latest(email)).text).toContain('The new login. And the menu.');
    }
    // red when: the numbers of testers stay those of before the promotion, or lead to no testers
    await page.reload();
    await region('Who has it').getByText('0 of 2 have it', { exact: true }).first().waitFor();
    const mailed = region('Who has it').getByRole('link', { name: '2 mailed', exact: true });
    await mailed.waitFor();
    expect(new URL((await mailed.getAttribute('href'))!, page.url()).search).toBe(
      `?build_id=${build.id}&adoption=mailed`,
    );
    await visit.screenshot('dashboard-build-adoption');
  });

  it('shows when it is already current in the channel, and asks for a channel when there is none', async () => {
    await open(`${address(before)}?promote=1&channel=${store.id}`);
    const dialog = page.getByRole('dialog', { name: 'Promote 2.0.9 (209)', exact: true });
    await dialog.getByText('This build is current in the channel already.').waitFor();
    const promote = dialog.getByRole('button', { name: 'Promote', exact: true });
    expect(await promote.getAttribute('aria-disabled')).toBe('true');
    const bare = await ann.createsProject(organization);
    const only = await ann.uploads(bare, { bytes: apk(), fileName: 'demo.apk' });
    await desk.go(visit, `/o/${organization.id}/p/${bare.id}/builds/${only.id}?promote=1`);
    await page.getByRole('dialog').getByRole('link', { name: 'Create a channel', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await region('Signing and permissions').getByText('All fine: nothing was found that stops devices.').waitFor();
    expect(await region('Warnings').count()).toBe(0);
    await region('Facts').getByText('Android 7.0 (API 24)', { exact: true }).waitFor();
  });

  // red when: a build that no device accepts looks like one with a warning, or the reason is not in its head
  it('says in its head why no device installs it, and leads to the build with the same file', async () => {
    const other = await ann.createsProject(organization);
    const file = { bytes: ipa({ distribution: 'appstore' }), fileName: 'Rocket.ipa' };
    const first = await ann.uploads(other, file);
    const second = await ann.uploads(other, file);
    await open(`/o/${organization.id}/p/${other.id}/builds/${second.id}`);
    await page.getByText('cannot be installed: signed for the App Store', { exact: true }).waitFor();
    const warnings = region('Warnings').getByRole('listitem');
    expect(await warnings.first().innerText()).toContain('signed for the App Store');
    expect(await region('Warnings').innerText()).not.toContain(first.id);
    await desk.expectAccessible(visit, 'build-problem');
    await region('Warnings').getByRole('link', { name: 'See the build', exact: true }).click();
    await page.waitForURL(`**/builds/${first.id}`);
  });

  it('lists its downloads', async () => {
    await open(address(build));
    const { body } = await ann.post(`/builds/${before.id}/download-url?${scope(project)}`).expect(200);
    await page.context().request.get((body as { url: string }).url);
    await desk.go(visit, `${address(before)}/downloads`);
    await status('1 download').waitFor();
    await page.getByRole('table', { name: 'Download log', exact: true }).getByText('Ann (member)').waitFor();
    await page.getByRole('link', { name: 'Export CSV', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'build-downloads');
    await page.getByRole('main').getByRole('link', { name: '2.0.9 (209)', exact: true }).first().click();
    await region('Who has it').getByText('1 download').first().waitFor();
    await visit.screenshot('dashboard-build-with-downloads');
  });

  it('shows members with a read-only role why actions are disabled, and that a build was deleted', async () => {
    const bob = await desk.app.developer();
    await desk.app.sql('INSERT INTO membership VALUES ($1, $2, $3, now())', [organization.id, bob.id, ['READ']]);
    await open(address(), {}, bob);
    await region('Install and channels').getByText('Only members who may download builds see the link.').waitFor();
    for (const [name, reason] of [
      ['Promote', 'Needs the role “Manage releases”'],
      ['Edit notes', 'Needs the role “Upload builds”'],
      ['Download log', 'Needs the role “Manage testers”'],
    ] as const) {
      expect(await button(name).getAttribute('aria-disabled')).toBe('true');
      const id = (await button(name).getAttribute('aria-describedby'))!;
      expect(await page.locator(`[id="${id.split(' ').at(-1)}"]`).textContent()).toContain(reason);
    }
    await button('More actions').click();
    for (const name of ['Download file', 'Delete build']) {
      const item = page.getByRole('menuitem', { name: new RegExp(`^${name}`) });
      expect(await item.getAttribute('aria-disabled')).toBe('true');
    }
    await page.keyboard.press('Escape');
    await desk.go(visit, address({ id: '00000000-0000-7000-8000-000000000000' }));
    await heading('Not found').waitFor();
    visit.allowProblems('status of 404');
  });

  it('speaks German on a phone, and installs there immediately', async () => {
    await open(address(), { language: 'de', reader: READERS.iphone });
    await heading('Rocket 2.1.0 (210)').waitFor();
    await button('Freigeben').waitFor();
    await region('Warnungen').getByText('Das Provisioning-Profil läuft am').waitFor();
    const here = page.getByRole('link', { name: 'Hier installieren', exact: true });
    await here.waitFor();
    const promote = (await button('Freigeben').boundingBox())!;
    const title = (await heading('Rocket 2.1.0 (210)').boundingBox())!;
    // red when: the head of a build takes a quarter of the screen
    expect((await here.boundingBox())!.y).toBe(promote.y);
    expect(promote.y + promote.height - title.y).toBeLessThan(140);
    expect(await here.getAttribute('href')).toBe(build.install_url);
    expect(await visit.overflow()).toBe(0);
    await visit.screenshot('dashboard-build-phone-de');
  });

  // red when: any phone is offered any app of phones, or the width of the window decides
  it.each([
    ['an app for iOS', 'ios', ['iphone', 'ipad']],
    ['an app for Android', 'android', ['android']],
    ['an app for macOS', 'macos', []],
  ])('offers to install %s only on devices of its platform', async (_, platform, offering) => {
    const installable = {
      ios: () => Promise.resolve(build),
      android: () => ann.uploads(project, { bytes: apk(), fileName: 'rocket.apk' }),
      macos: () =>
        ann.uploads(project, { bytes: Buffer.from('x'), fileName: 'rocket.zip' }, { platform, version: '2.1.0' }),
    };
    const { id } = await installable[platform as keyof typeof installable]();
    const offers: string[] = [];
    for (const name of ['iphone', 'ipad', 'mac', 'android', 'windows'] as const) {
      await open(address({ id }), { reader: READERS[name] });
      await region('Install and channels').waitFor();
      if (await page.getByRole('link', { name: 'Install on this device', exact: true }).isVisible()) offers.push(name);
      // red when: to copy the link looks as important as to promote or to install
      expect(await primaryActions(page)).toEqual([offers.at(-1) === name ? 'Install on this device' : 'Promote']);
    }
    expect(offers).toEqual(offering);
  });
});
