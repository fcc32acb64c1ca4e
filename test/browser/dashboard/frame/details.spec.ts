import { type Locator, type Page } from 'playwright-core';
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
import { Desk, PHONE } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });

const at = async (one: Locator) => (await one.boundingBox())!;

/** The distances from the end of the content of each card to what its last action shows: the edge of its button, or its text without an outline. */
const HEAD_GAPS = `[...document.querySelectorAll('section[data-surface]')].flatMap((card) => {
  const [head] = card.children;
  const actions = head.querySelector('h2 ~ div, h3 ~ div');
  if (!actions || head.className === 'visually-hidden') return [];
  const last = [...actions.querySelectorAll('a, button')].filter((one) => one.checkVisibility()).at(-1);
  if (!last) return [];
  const range = document.createRange();
  range.selectNodeContents(last);
  const isOutlined = getComputedStyle(last).borderTopColor !== 'rgba(0, 0, 0, 0)' && last.tagName === 'BUTTON';
  const { right } = (isOutlined ? last : range).getBoundingClientRect();
  return [{ card: head.textContent, gap: Math.round(card.getBoundingClientRect().right - right) }];
})`;

describe('the details of the screens', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let older: BuildJson;
  let current: BuildJson;
  let tester: string;
  const path = (screen: string): string => `/o/${organization.id}/p/${project.id}${screen}`;
  const ofOrganization = (screen: string): string => `/o/${organization.id}${screen}`;

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    beta = await ann.createsChannel(project, 'Beta');
    const upload = (versionName: string, versionCode: number): Promise<BuildJson> =>
      ann.uploads(project, { bytes: apk({ versionName, versionCode }), fileName: 'rocket.apk' });
    older = await upload('2.0.9', 209);
    current = await upload('2.1.0', 210);
    await ann.promotes(project, beta, current);
    const { body } = await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201);
    tester = (body as { id: string }).id;
    await ann.request('put', `/testers/${tester}/subscriptions/${beta.id}?${scope(project)}`).expect(200);
    await ann.createsToken(project);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const loaded = (page: Page): Promise<void> =>
    until(async () => (await page.locator('[aria-busy=true]').count()) === 0);

  // red when: a screen of one object has no way back, or another one than the start of the line below its heading
  it.each([
    ['a build', () => `/builds/${current.id}`, 'Builds', () => '/builds'],
    ['the links of a build', () => `/builds/${current.id}/links`, 'Builds', () => '/builds'],
    ['the downloads of a build', () => `/builds/${current.id}/downloads`, '2.1.0 (210)', () => `/builds/${current.id}`],
    ['the comparison of builds', () => '/compare', 'Builds', () => '/builds'],
    ['the trash', () => '/trash', 'Builds', () => '/builds'],
    ['a channel', () => `/channels/${beta.id}`, 'Channels', () => '/channels'],
    ['the links of a channel', () => `/channels/${beta.id}/links`, 'Channels', () => '/channels'],
    ['a tester', () => `/testers/${tester}`, 'Testers', () => '/testers'],
    ['the import of testers', () => '/testers/import', 'Testers', () => '/testers'],
    ['the devices', () => '/devices', 'Testers', () => '/testers'],
    ['the webhooks', () => '/settings/webhooks', 'Project settings', () => '/settings'],
    ['the retention', () => '/settings/retention', 'Project settings', () => '/settings'],
  ])('have the way back from %s below the heading', async (_, address, name, above) => {
    const { page } = await desk.open(ann, path(address()));
    const back = page.locator('div:has(> div > h1) > div').getByRole('link', { name, exact: true });
    await back.waitFor();
    expect(await back.getAttribute('href')).toBe(path(above()));
  });

  describe('on a phone', () => {
    // red when: each filter is a row of its own above the list
    it.each([
      ['the builds', () => path('/builds'), 'Platform', 'Android'],
      ['the testers', () => path('/testers'), 'State', 'Added'],
      ['the audit feed', () => ofOrganization('/audit'), 'Project', 'Rocket'],
    ])('have the filters of %s behind one button that counts them', async (_, address, label, choice) => {
      const visit = await desk.open(ann, address(), { reader: PHONE });
      const { page } = visit;
      const bar = page.getByRole('search');
      await button(bar, 'Filter').waitFor();
      expect((await bar.boundingBox())!.height).toBeLessThan(60);
      expect(await bar.getByRole('combobox').count()).toBe(0);
      await button(bar, 'Filter').press('Enter');
      const sheet = dialog(page, 'Filter');
      await sheet.getByRole('combobox', { name: label, exact: true }).selectOption(choice);
      await button(sheet, 'Show results').click();
      await sheet.waitFor({ state: 'detached' });
      await button(bar, 'Filter (1)').click();
      await button(sheet, 'Clear filters').click();
      await page.waitForURL(({ search }) => !/platform|state|project/.test(search));
      await desk.expectAccessible(visit, `filters-${label}`);
    });

    // red when: four buttons above the list of testers take three rows
    it('have one row of actions above the testers, the rare ones in a menu', async () => {
      const visit = await desk.open(ann, path('/testers'), { reader: PHONE });
      const { page } = visit;
      const [more, add] = [button(page, 'More actions'), button(page, 'Add testers')];
      expect((await more.boundingBox())!.y).toBe((await add.boundingBox())!.y);
      expect(await page.getByRole('link', { name: 'Devices', exact: true }).count()).toBe(0);
      await more.press('Enter');
      for (const name of ['Export CSV', 'Devices']) await page.getByRole('menuitem', { name, exact: true }).waitFor();
      await page.getByRole('menuitem', { name: 'Import CSV', exact: true }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Import testers', exact: true }).waitFor();
      // red when: without a list the button offers to import none
      await button(page, 'Import testers').waitFor();
    });
  });

  describe('of a phone', () => {
    // red when: the picture of a project or a build takes a line of its own above the title
    it.each(['', 'a build'])('have the picture beside the title of the project and of %s', async (screen) => {
      const { page } = await desk.open(ann, path(screen && `/builds/${current.id}`), { reader: PHONE });
      const header = page.locator('div:has(> div > div > h1)');
      const [picture, title] = [await at(header.locator('> :first-child')), await at(header.locator('h1'))];
      expect(title.y).toBeLessThan(picture.y + picture.height);
      expect(title.x).toBeGreaterThan(picture.x + picture.width);
    });

    // red when: each fact about a current build has a line of its own
    it('have a current build in three lines', async () => {
      const { page } = await desk.open(ann, path(''), { reader: PHONE });
      await loaded(page);
      const version = region(page, 'Current builds').getByRole('link', { name: '2.1.0 (210)', exact: true });
      const adoption = region(page, 'Current builds').getByRole('link', { name: '0 of 1 have it', exact: true });
      expect(Math.abs((await at(version)).y - (await at(adoption)).y)).toBeLessThan(12);
    });

    // red when: the facts and other files stand before what devices check
    it('have the facts of a build below its signing', async () => {
      const { page } = await desk.open(ann, path(`/builds/${current.id}`), { reader: PHONE });
      const below = page.getByRole('heading', { name: 'Facts', exact: true });
      await below.waitFor();
      expect((await at(below)).y).toBeGreaterThan((await at(region(page, 'Signing and permissions'))).y);
    });

    // red when: a phone offers to switch off keys that it does not have
    it('leave out the keyboard', async () => {
      const { page } = await desk.open(ann, '/account', { reader: PHONE });
      await region(page, 'Appearance and language').waitFor();
      expect(await region(page, 'Keyboard').count()).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
      await region(page, 'Keyboard').waitFor();
    });
  });

  // red when: the reason is cut off after "sign…", or the branch after its first character
  it.each([1280, 390])('name the problem of a build and a long branch legibly at %s px', async (width) => {
    const place = await ann.createsProject(organization);
    const source = {
      branch: 'feature/very-long-branch-name/with-many-parts/and-a-ticket-ABC-12345',
      commit: 'a7b36b0c4d',
    };
    await ann.uploads(place, { bytes: ipa({ distribution: 'appstore' }), fileName: 'rocket.ipa' }, source);
    const { page } = await desk.open(ann, `/o/${organization.id}/p/${place.id}/builds`);
    await page.setViewportSize({ width, height: 844 });
    const reason = page.getByRole('row').getByText('signed for the App Store', { exact: true });
    await reason.waitFor();
    const isCut = (one: { scrollWidth: number; clientWidth: number }): boolean => one.scrollWidth > one.clientWidth;
    expect(await reason.evaluate(isCut)).toBe(false);
    const head = page.getByTitle(source.branch, { exact: true }).locator('> :first-child');
    expect((await at(head)).width).toBeGreaterThan(60);
  });

  // red when: the counts of testers push down what is below them
  it('do not move when the counts of testers of a build arrive', async () => {
    const { page } = await desk.open(ann, path('/builds'));
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/\/builds\/[^/]+\/adoption/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(desk.app.address + path(`/builds/${current.id}`));
    const below = page.getByRole('heading', { name: 'Facts', exact: true });
    await below.waitFor();
    await region(page, 'Since 2.0.9 (209)').waitFor();
    const before = (await below.boundingBox())!.y;
    arrive();
    await region(page, 'Who has it').getByRole('meter').waitFor();
    expect((await below.boundingBox())!.y).toBe(before);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  // red when: buttons in the head of a card stand nearer to its edge than its text, or texts without an outline farther
  it('have heads of cards whose last action ends where the content ends', async () => {
    const { page } = await desk.open(ann, path(''));
    const cards: { readonly card: string; readonly gap: number }[] = [];
    for (const address of [path(''), path(`/builds/${current.id}`), ofOrganization('/billing'), '/account']) {
      await page.goto(desk.app.address + address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await loaded(page);
      cards.push(...(await page.evaluate<typeof cards>(HEAD_GAPS)));
    }
    expect(cards.length).toBeGreaterThan(5);
    // The content of a card begins 16 px from its border, which is 1 px wide. A letter may be narrower than its box.
    expect(cards.filter(({ gap }) => gap < 16 || gap > 18)).toEqual([]);
  });

  describe('of an overview', () => {
    // red when: the newest build is named again although a channel has it, or the releases list those that are current
    it('name a build that a channel has where it is current, and nowhere else', async () => {
      const { page } = await desk.open(ann, path(''));
      await region(page, 'Current builds').getByText('2.1.0 (210)').waitFor();
      await region(page, 'Earlier releases').getByText('No release has been replaced yet.').waitFor();
      expect(await page.locator('main').getByText('2.1.0 (210)').count()).toBe(1);
      expect(await region(page, 'Newest builds').count()).toBe(0);
    });
  });

  // red when: two entries of the navigation have one name
  it.each(['en', 'de'] as const)('name every entry of the navigation differently (%s)', async (language) => {
    const { page } = await desk.open(ann, path('/settings'), { language });
    const links = page.getByRole('navigation').getByRole('link');
    await links.nth(10).waitFor();
    const names = (await links.allTextContents()).map((name) => name.trim());
    expect(names).toEqual([...new Set(names)]);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      { en: 'Project settings', de: 'Projekt verwalten' }[language],
    );
  });

  // red when: the navigation lists every loaded project, and no screens of one that is not loaded
  it('list twelve of 300 projects in the navigation, the open one among them', async () => {
    const many = await ann.createsOrganization('Many');
    const first = await ann.createsProject(many, 'First');
    await desk.app.sql(
      `INSERT INTO project SELECT copy.* FROM project AS p, generate_series(1, 299) AS n,
         jsonb_populate_record(p, jsonb_build_object('id', uuidv7(), 'name', 'Project ' || n)) AS copy
       WHERE p.id = $1`,
      [first.id],
    );
    const { page } = await desk.open(ann, `/o/${many.id}/p/${first.id}/channels`);
    const navigation = page.getByRole('navigation', { name: 'Project', exact: true });
    await navigation.getByRole('link', { name: 'Builds', exact: true }).click();
    await page.waitForURL('**/builds');
    expect(await navigation.locator('> ul > li').count()).toBe(13);
    await navigation.getByRole('link', { name: 'More projects', exact: true }).click();
    await page.getByText('50 projects so far', { exact: true }).waitFor();
  });

  // red when: only the comparison is on the screen, without the builds
  it('show both builds beside their comparison', async () => {
    const visit = await desk.open(ann, path(`/compare?from=${older.id}&to=${current.id}`));
    const { page } = visit;
    for (const name of ['From: 2.0.9 (209)', 'To: 2.1.0 (210)']) {
      await region(page, name).getByText('Android', { exact: true }).waitFor();
    }
    await desk.expectAccessible(visit, 'compare-sides');
    await region(page, 'To: 2.1.0 (210)').getByRole('link', { name: 'Open build', exact: true }).click();
    await page.waitForURL(`**/builds/${current.id}`);
  });

  // red when: "0 tokens" stands below "No tokens yet"
  it('do not count the rows of an empty list for the eye', async () => {
    const empty = await ann.createsProject(organization);
    const { page } = await desk.open(ann, `/o/${organization.id}/p/${empty.id}/tokens`);
    await page.getByRole('heading', { level: 2, name: 'No tokens yet', exact: true }).waitFor();
    const count = page.getByRole('status').filter({ hasText: /^0 tokens$/ });
    expect(await count.locator('xpath=ancestor::*[@class="visually-hidden"]').count()).toBe(1);
  });

  it('invite in the middle of the screen while there is only one member', async () => {
    const visit = await desk.open(ann, ofOrganization('/members'));
    const { page } = visit;
    await page.getByRole('heading', { level: 2, name: 'Only you so far', exact: true }).waitFor();
    expect(await button(page, 'Invite member').count()).toBe(1);
    await desk.expectAccessible(visit, 'members-alone');
    await button(page, 'Invite member').press('Enter');
    await page.getByRole('dialog').waitFor();
  });

  // red when: the button can be pressed although the service will reject the change
  it('tell why the plan cannot be changed, and offer no change', async () => {
    const visit = await desk.open(ann, ofOrganization('/billing'));
    const { page } = visit;
    await button(page, 'Change plan').click();
    const change = button(dialog(page, 'Change plan'), 'Change to Team');
    const obstacle = dialog(page, 'Change plan').getByRole('region', {
      name: 'Delete all channels first',
      exact: true,
    });
    await obstacle.waitFor();
    expect(await change.getAttribute('aria-disabled')).toBe('true');
    await desk.expectAccessible(visit, 'plan-blocked');
    // red when: the obstacle does not lead to the channels
    await obstacle.getByRole('link', { name: /^Channels of / }).click();
    await page.getByRole('heading', { level: 1, name: 'Channels', exact: true }).waitFor();
  });

  // red when: the unsaved name of a deleted organization is asked about
  it('ask nothing about the unsaved name of an organization that was deleted', async () => {
    const other = await ann.createsOrganization('Other');
    const visit = await desk.open(ann, `/o/${other.id}/settings`);
    const { page } = visit;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved');
    await button(page, 'Delete organization').click();
    const question = page.getByRole('alertdialog', { name: 'Delete Other?', exact: true });
    await question.getByRole('textbox').fill('Other');
    await button(question, 'Delete organization').click();
    await page.waitForURL((url) => !url.pathname.includes(other.id));
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    visit.problems.length = 0;
  });

  describe('of the palette', () => {
    // red when: only the first page of tokens is compared with what was typed
    it('ask the service for the token with the typed end', async () => {
      const { body } = await ann.get(`/organizations/${organization.id}/project-access-tokens`).expect(200);
      const [{ last4 }] = (body as { items: [{ last4: string }] }).items;
      const { page } = await desk.open(ann, path('/builds'));
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Search or jump to', exact: true }).fill(last4);
      await page
        .getByRole('option')
        .filter({ hasText: `…${last4}` })
        .waitFor();
      expect(sent.filter((url) => url.includes(`last4=${last4}`))).toHaveLength(1);
    });

    it('find a build by a word and its platform', async () => {
      const { page } = await desk.open(ann, path('/channels'));
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Search or jump to', exact: true }).fill('2.0.9 android');
      await page.getByRole('option', { name: /^2\.0\.9 \(209\)/ }).waitFor();
    });
  });

  // red when: a column is narrower than its name
  it.each(['en', 'de'] as const)('show the names of all columns of the builds (%s)', async (language) => {
    const { page } = await desk.open(ann, path('/builds'), { language });
    const headers = page.getByRole('columnheader');
    await headers.nth(5).waitFor();
    const cut = await headers.evaluateAll(
      (cells: readonly { scrollWidth: number; clientWidth: number; textContent: string }[]) =>
        // The first column has a box without a visible name.
        cells
          .slice(1)
          .filter((cell) => cell.scrollWidth > cell.clientWidth)
          .map((cell) => cell.textContent),
    );
    expect(cut).toEqual([]);
  });

  it('name the product before the login', async () => {
    const visit = await desk.visitor();
    await visit.open(`${desk.app.address}/login`);
    await visit.page.getByText('Agate', { exact: true }).waitFor();
  });
});
