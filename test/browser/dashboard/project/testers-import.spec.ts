import { type Locator, type Page } from 'playwright-core';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { Desk, table } from '../desk';

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const lines = (page: Page): Locator => page.getByRole('textbox', { name: 'Or paste lines', exact: true });
const alert = (page: Page, text: string): Promise<void> =>
  page.getByRole('alert').filter({ hasText: text }).first().waitFor();

describe('the import of testers in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
  });
  beforeEach(async () => {
    project = await ann.createsProject(organization);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const open = () => desk.open(ann, `/o/${organization.id}/p/${project.id}/testers/import`);
  const added = async (): Promise<readonly (readonly [string, string | null])[]> => {
    const { body } = await ann.get(`/testers?${scope(project)}`).expect(200);
    const { items } = body as { items: readonly { readonly email: string; readonly name: string | null }[] };
    return items.map(({ email, name }) => [email, name] as const).toSorted(([one], [other]) => (one < other ? -1 : 1));
  };

  // red when: columns are found by the titles that the service knows, and by nothing else
  it.each([
    ['a German spreadsheet', 'Name;E-Mail\nTess;tess@example.com'],
    ['a spreadsheet that was copied', 'Name\tE-Mail\tTeam\nTess\ttess@example.com\tQA'],
    ['Outlook', 'Full name,Email Address,Notes\nTess,tess@example.com,x'],
    ['unknown titles', 'Name,Kontakt\nTess,tess@example.com'],
  ])('reads the columns of %s', async (_, text) => {
    const { page } = await open();
    await lines(page).fill(text);
    await button(page, 'Import 1 tester').click();
    await page.getByRole('status').filter({ hasText: '1 added' }).waitFor();
    expect(await added()).toEqual([['tess@example.com', 'Tess']]);
  });

  it('asks for the column of the addresses when several may have them', async () => {
    const visit = await open();
    const { page } = visit;
    await lines(page).fill('Work,Private,Name\nt@example.com,t@example.org,Tess\nb@example.com,b@example.org,Bob');
    await page.getByRole('heading', { name: 'Which column is the address?', exact: true }).waitFor();
    expect(await button(page, 'Import testers').getAttribute('aria-disabled')).toBe('true');
    await desk.expectAccessible(visit, 'testers-import-column');
    await page.getByRole('radio', { name: 'Column 2: Private', exact: true }).check();
    await button(page, 'Import 2 testers').click();
    await page.getByRole('status').filter({ hasText: '2 added' }).waitFor();
    expect(await added()).toEqual([
      ['b@example.org', 'Bob'],
      ['t@example.org', 'Tess'],
    ]);
  });

  // red when: one wrong line blocks all others, or when the button counts lines that are not sent
  it('imports the good lines and skips those that are wrong or doubled', async () => {
    const { page } = await open();
    await lines(page).fill('email\na@example.com\nb@example.com\nno address\nA@example.com');
    await alert(page, 'Line 4: “no address” is not an e-mail address');
    await button(page, 'Import 2 testers, skip 2').click();
    await page.getByRole('status').filter({ hasText: '2 added' }).waitFor();
    expect((await added()).map(([email]) => email)).toEqual(['a@example.com', 'b@example.com']);
  });

  describe('with a channel that has a build', () => {
    const ADDRESSES = Array.from({ length: 101 }, (_, at) => `p${at}@example.com`);
    beforeEach(async () => {
      const build = await ann.uploads(project, { bytes: apk(), fileName: 'rocket.apk' });
      await ann.promotes(project, await ann.createsChannel(project, 'Beta'), build);
    });
    const invite = (page: Page): Locator => page.getByRole('checkbox', { name: 'Invite now', exact: true });

    it('invites those whom it subscribes, unless that is switched off', async () => {
      const visit = await open();
      const { page } = visit;
      await lines(page).fill('tess@example.com');
      expect(await invite(page).getAttribute('aria-disabled')).toBe('true');
      await page.getByRole('checkbox', { name: 'Beta', exact: true }).check();
      await button(page, 'Import and invite 1 tester').waitFor();
      await desk.expectAccessible(visit, 'testers-import-invite');
      await button(page, 'Import and invite 1 tester').click();
      await page.getByRole('status').filter({ hasText: '1 added, 1 invited' }).waitFor();
      expect((await desk.app.mailbox.latest('tess@example.com')).text).toContain('invites you to test');
      await button(page, 'Import another file').click();
      await lines(page).fill('tess@example.com\nbob@example.com');
      await page.getByRole('checkbox', { name: 'Beta', exact: true }).check();
      await invite(page).uncheck();
      await button(page, 'Import 2 testers').click();
      await page.getByRole('status').filter({ hasText: '1 added, 1 known' }).waitFor();
      expect(await desk.app.mailbox.all('tess@example.com')).toHaveLength(1);
    });

    // red when: a retry begins with the first tester, or imports the list again
    // red when: the button turns for minutes, and nothing tells how far the invitations are
    it('continues with those who are not invited yet when a request fails', async () => {
      const visit = await open();
      const { page } = visit;
      const invited: number[] = [];
      await page.route('**/api/v1/testers/bulk?*', async (route) => {
        const { tester_ids: ids } = route.request().postDataJSON() as { tester_ids: string[] };
        invited.push(ids.length);
        if (invited.length === 2) await page.getByRole('progressbar', { name: 'Invitations', exact: true }).waitFor();
        if (invited.length === 2) await page.getByText('100 of 101', { exact: true }).waitFor();
        await (invited.length === 2 ? route.abort() : route.continue());
      });
      await lines(page).fill(ADDRESSES.join('\n'));
      await page.getByRole('checkbox', { name: 'Beta', exact: true }).check();
      await button(page, 'Import and invite 101 testers').click();
      await button(page, 'Try again').click();
      await page.getByRole('status').filter({ hasText: '101 added, 101 invited' }).waitFor();
      expect(invited).toEqual([100, 1, 1]);
      visit.problems.length = 0;
    });
  });

  it('says how to save a spreadsheet that is not text', async () => {
    const { page } = await open();
    await page.getByLabel('CSV file').setInputFiles({
      name: 'testers.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: Buffer.from('PK\u0003\u0004\u0014\u0000\u0006\u0000"xl', 'latin1'),
    });
    await alert(page, 'Save it as CSV');
    // red when: the page does not show which file was chosen
    await page.getByText(/^testers\.xlsx · /).waitFor();
  });

  // red when: the pasted lines are kept in the memory of the page only
  it('keeps pasted lines over a reload until they are imported', async () => {
    const { page } = await open();
    await lines(page).fill('tess@example.com,Tess');
    await page.reload();
    expect(await lines(page).inputValue()).toBe('tess@example.com,Tess');
    await table(page, 'Preview').getByText('tess@example.com').waitFor();
    await button(page, 'Import 1 tester').click();
    await page.getByRole('status').filter({ hasText: '1 added' }).waitFor();
    await page.reload();
    expect(await lines(page).inputValue()).toBe('');
  });
});
