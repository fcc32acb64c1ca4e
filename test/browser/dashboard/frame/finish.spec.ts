import { type Locator, type Page } from 'playwright-core';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { Desk, PHONE } from '../desk';

/** Of the browser, in which it runs. The tests themselves have no DOM. */
declare const getComputedStyle: (element: unknown, pseudo?: string) => Readonly<Record<string, string>>;

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
/** The middle of an element, from the top of the page. */
const middleOf = async (locator: Locator): Promise<number> => {
  const { y, height } = (await locator.boundingBox())!;
  return y + height / 2;
};

describe('the finish of the screens', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  const path = (screen: string): string => `/o/${organization.id}/p/${project.id}/${screen}`;

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    await ann.uploads(project, { bytes: apk({ versionCode: 1 }), fileName: 'r.apk' });
    const { id } = await ann.uploads(project, { bytes: apk({ versionCode: 2 }), fileName: 'r.apk' });
    await ann.post(`/builds/delete?${scope(project)}`, { ids: [id] }).expect(200);
    await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  // red when: only screens whose address begins with that of an entry mark it
  it('marks the entry of the navigation to which a screen belongs', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    const marked = page.getByRole('navigation').locator('a[aria-current="page"]:not([data-open]):visible');
    for (const [screen, entry] of [
      ['devices', 'Testers'],
      ['trash', 'Builds'],
      ['compare', 'Builds'],
      ['settings/retention', 'Project settings'],
      ['', 'Overview'],
    ] as const) {
      await desk.go(visit, path(screen));
      await marked.and(page.getByText(entry, { exact: true })).waitFor();
      expect(await marked.allInnerTexts()).toEqual([entry]);
    }
    const phone = await desk.open(ann, path('trash'), { reader: PHONE });
    const more = button(phone.page, 'More');
    expect(await more.getAttribute('aria-current')).toBeNull();
    for (const screen of [path('tokens'), path('access'), path('settings'), `/o/${organization.id}/billing`]) {
      await desk.go(phone, screen);
      await more.and(phone.page.locator('[aria-current="page"]')).waitFor();
    }
    await phone.screenshot('dashboard-more-marked');
    await desk.go(phone, `/o/${organization.id}/members`);
    expect(await more.getAttribute('aria-current')).toBeNull();
  });

  // red when: a box or a button stands on the line of the text, which the row is not centred on
  it('has what stands in one row of a table at one height', async () => {
    const visit = await desk.open(ann, path('builds'));
    const { page } = visit;
    for (const screen of ['builds', 'testers', 'trash']) {
      await desk.go(visit, path(screen));
      const head = page.getByRole('columnheader');
      await head.nth(1).waitFor();
      const box = await middleOf(head.nth(0).getByRole('checkbox'));
      expect(Math.abs(box - (await middleOf(head.nth(1).locator('span, button').first())))).toBeLessThanOrEqual(1);
      await visit.screenshot(`dashboard-finish-${screen}`);
    }
    await desk.go(visit, `/o/${organization.id}/audit`);
    const row = page.getByRole('row').nth(1);
    const time = await middleOf(row.locator('time'));
    expect(Math.abs(time - (await middleOf(row.getByRole('rowheader').locator('span').first())))).toBeLessThanOrEqual(
      1,
    );
    await visit.screenshot('dashboard-finish-audit');
  });

  // red when: a space stands between the text of a link and its icon
  it('underlines no space before the icon of a link', async () => {
    const { page } = await desk.open(ann, path('builds'));
    await page
      .getByRole('link', { name: /^1\.2\.3 \(1\)/ })
      .first()
      .click();
    const link = page.getByRole('link', { name: /^Open as testers see it/ });
    await link.waitFor();
    expect(
      await link.evaluate(({ firstChild }: { firstChild: { textContent: string } }) => firstChild.textContent),
    ).toBe('Open as testers see it');
    expect(await link.evaluate(({ childNodes }: { childNodes: { length: number } }) => childNodes.length)).toBe(3);
  });

  // red when: a value without its label is shown, or values have weights of their own
  it('shows the values of rows alike on a phone', async () => {
    const visit = await desk.open(ann, path('trash'), { reader: PHONE });
    const { page } = visit;
    const values = page.locator('main td[data-label]:visible');
    await values.first().waitFor();
    expect(await values.getByText('–', { exact: true }).count()).toBe(0);
    const weights = (): Promise<readonly string[]> =>
      values.evaluateAll((cells) => [...new Set(cells.map((cell) => getComputedStyle(cell).fontWeight!))]);
    expect(await weights()).toEqual(['400']);
    await visit.screenshot('dashboard-finish-trash-phone');
    await desk.go(visit, path('access'));
    await values.first().waitFor();
    expect(await weights()).toEqual(['400']);
    expect(await values.first().evaluate((cell) => getComputedStyle(cell, '::before')['content'])).toContain(
      'Own role:',
    );
    await visit.screenshot('dashboard-finish-access-phone');
    for (const screen of [path('tokens'), `/o/${organization.id}/members`]) {
      await desk.go(visit, screen);
      await visit.screenshot(`dashboard-finish-${screen.split('/').at(-1)}-phone`);
    }
  });

  // red when: the reason is shown on hover only, or an action stands below its heading and beside its edge
  it('has settings that say why something cannot be done, and actions at the edge', async () => {
    const address = `/o/${organization.id}/settings`;
    const { page } = await desk.open(ann, address);
    for (const reason of ['You are the last Admin: make another member Admin first', 'Delete its projects first'])
      await page.locator('p.soft').filter({ hasText: reason }).waitFor();
    const phone = await desk.open(ann, address, { reader: PHONE, language: 'de' });
    const action = phone.page.getByRole('link', { name: 'Erscheinungsbild öffnen', exact: true });
    const card = phone.page.getByRole('region', { name: 'Erscheinungsbild', exact: true });
    const [inner, outer] = [(await action.boundingBox())!, (await card.boundingBox())!];
    expect(outer.x + outer.width - inner.x - inner.width).toBeLessThanOrEqual(16);
    await phone.screenshot('dashboard-finish-settings-phone');
    await desk.go(phone, `${address}/branding`);
    await phone.page.getByText('Wenn leer: Acme').waitFor();
  });
});
