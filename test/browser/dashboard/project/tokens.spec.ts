import { type Page } from 'playwright-core';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../../support/actors/actors';
import { until } from '../../../support/until';
import { type Visit } from '../../browser';
import { Desk, table } from '../desk';
import { gives, joins } from '../joins';

const PROJECT_TOKEN = /^ag_prj_\w+$/;
const PERSONAL_TOKEN = /^ag_pat_\w+$/;

describe('tokens in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let address: string;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
    address = `/o/${organization.id}/p/${project.id}/tokens`;
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  /** Chooses an action in the menu of a token, by the keyboard. */
  const act = async (page: Page, name: string, action: string): Promise<void> => {
    await button(page, `Actions for ${name}`).press('Enter');
    await page.getByRole('menuitem', { name: action, exact: true }).press('Enter');
  };

  /** The value in the dialog that shows it once. */
  const shownToken = (page: Page): Promise<string> =>
    page
      .getByRole('dialog', { name: 'Copy your token now', exact: true })
      .getByRole('textbox', { name: 'Token', exact: true })
      .inputValue();

  /** Expects that nothing of the page, its storage or its history still has the value. */
  const expectForgotten = async (page: Page, token: string): Promise<void> => {
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const kept = await page.evaluate<string>(
      `document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(({ value }) => value).join(' ')
        + JSON.stringify({ ...localStorage, ...sessionStorage }) + JSON.stringify(history.state) + location.href`,
    );
    expect(kept).not.toContain(token);
  };

  /** Tokens of a project in which the developer has a role, as CI uses them. */
  const statusOf = async (token: string): Promise<number> =>
    (await desk.app.ci(token).get(`/builds?${scope(project)}`)).status;

  describe('of a project', () => {
    it('are made, used, rotated with an overlap and revoked', async () => {
      const visit = await desk.open(ann, address);
      const { page } = visit;
      await page.getByRole('heading', { level: 2, name: 'No tokens yet', exact: true }).waitFor();
      await desk.expectAccessible(visit, 'tokens-empty');
      const first = await makes(visit, 'GitHub Actions');
      expect(await statusOf(first)).toBe(200);

      const made = row(page, 'GitHub Actions');
      await made.getByText(`…${first.slice(-4)}`, { exact: true }).waitFor();
      await made.getByText('Manage releases', { exact: true }).waitFor();
      await page
        .getByRole('status')
        .filter({ hasText: /^1 token$/ })
        .waitFor();
      // red when: the heading, the title or the navigation calls the screen by another name
      expect(await page.title()).toBe('Tokens · Rocket · Agate');
      await page.getByRole('heading', { level: 1, name: 'Tokens', exact: true }).waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Tokens', exact: true }).waitFor();

      await act(page, 'GitHub Actions', 'Rotate');
      await page.getByRole('combobox', { name: 'The old value' }).selectOption('works for one more hour');
      await button(page, 'Rotate token').click();
      const second = await shownToken(page);
      await page.getByRole('checkbox', { name: 'I have kept it', exact: true }).check();
      await button(page, 'Done').click();
      await expectForgotten(page, second);
      expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);

      await act(page, 'GitHub Actions', 'Revoke');
      const question = page.getByRole('alertdialog', { name: 'Revoke GitHub Actions?', exact: true });
      await question.getByRole('button', { name: 'Revoke token', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: 'No tokens yet', exact: true }).waitFor();
      expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
    });

    /** Makes a token with the keyboard alone, and copies it. */
    async function makes({ page }: Visit, name: string): Promise<string> {
      await button(page, 'New token').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'New token', exact: true });
      await dialog.waitFor();
      expect(new URL(page.url()).search).toBe('?new=token');
      await page.keyboard.type(name);
      // red when: a token gets the text of members, who also manage tokens
      await dialog.getByText('Also uploads builds. The usual role for CI.', { exact: true }).waitFor();
      await dialog.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Manage releases');
      await dialog.getByRole('combobox', { name: 'Expires', exact: true }).selectOption('In 90 days');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
      const done = button(page, 'Done');
      await done.waitFor();
      const token = await shownToken(page);
      expect(token).toMatch(PROJECT_TOKEN);
      expect(await page.getByRole('textbox', { name: 'Token', exact: true }).getAttribute('readonly')).not.toBeNull();
      expect(await done.getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Escape');
      await done.click({ force: true });
      await done.waitFor();
      await button(page, 'Copy token').click();
      await until(async () => (await done.getAttribute('aria-disabled')) !== 'true');
      await page.getByText('Copied', { exact: true }).first().waitFor();
      await done.click();
      await expectForgotten(page, token);
      return token;
    }

    it('show which were never used, and whose value a former member knows', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, organization, ['MANAGER']);
      await bob.createsToken(project);
      await desk.app.sql(`UPDATE project_access_token SET created_at = now() - interval '91 days' WHERE name = 'CI'`);
      await ann.delete(`/organizations/${organization.id}/members/${bob.id}`).expect(200);
      const visit = await desk.open(ann, address);
      await row(visit.page, 'CI').getByText('unused for 90 days', { exact: true }).waitFor();
      await row(visit.page, 'CI').getByText('known to a former member', { exact: true }).waitFor();
      await desk.expectAccessible(visit, 'tokens');
      await button(visit.page, 'New token').click();
      await visit.page.getByRole('dialog').waitFor();
      await desk.expectAccessible(visit, 'tokens-new');
      await visit.page.reload();
      await visit.page.getByRole('dialog', { name: 'New token', exact: true }).waitFor();
    });

    it('are hidden from members who cannot upload', async () => {
      const kim = await desk.app.developer();
      await joins(ann, kim, organization, ['MEMBER']);
      await gives(ann, kim, project, 'VIEW_PROJECT');
      const { page } = await desk.open(kim, address);
      await page.getByRole('heading', { level: 2, name: 'You cannot see the tokens', exact: true }).waitFor();
      const create = button(page, 'New token');
      expect(await create.getAttribute('aria-disabled')).toBe('true');
      await page.getByText('Needs the role “Upload builds”', { exact: true }).first().waitFor({ state: 'attached' });
    });

    it('speak German', async () => {
      const { page } = await desk.open(ann, address, { language: 'de' });
      await page.getByRole('heading', { level: 1, name: 'Tokens', exact: true }).waitFor();
      await button(page, 'Neues Token').waitFor();
    });
  });

  describe('of all projects of an organization', () => {
    let acme: OrganizationRef;
    let rocket: ProjectRef;
    let home: string;
    beforeEach(async () => {
      acme = await ann.createsOrganization('Acme');
      rocket = await ann.createsProject(acme, 'Rocket');
      await ann.createsProject(acme, 'Kite with a name that is much longer than its column');
      home = `/o/${acme.id}/tokens`;
    });

    const creates = async (name: string): Promise<string> =>
      (
        (await ann.post(`/project-access-tokens?${scope(rocket)}`, { name, role: 'UPLOAD_BUILD' }).expect(201))
          .body as {
          token: string;
        }
      ).token;

    // red when: the list of a project is the only one: finding a token means to open each project
    it('are listed with their project and last use, filtered by use, and revoked from there', async () => {
      await creates('Fresh');
      await creates('Forgotten');
      await desk.app.sql(
        `UPDATE project_access_token SET created_at = now() - interval '91 days' WHERE name = 'Forgotten'`,
      );
      const visit = await desk.open(ann, home);
      const { page } = visit;
      await page.getByRole('heading', { level: 1, name: 'All tokens', exact: true }).waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'All tokens', exact: true }).waitFor();
      expect(await page.title()).toBe('All tokens · Acme · Agate');
      const list = table(page, 'All tokens');
      await list
        .getByRole('row', { name: /^Fresh/ })
        .getByRole('link', { name: 'Rocket', exact: true })
        .waitFor();
      await desk.expectAccessible(visit, 'organization-tokens');
      await page.getByRole('checkbox', { name: 'Unused for 90 days', exact: true }).check();
      await page.waitForURL('**/tokens?unused=1');
      await list.getByRole('row', { name: /^Fresh/ }).waitFor({ state: 'detached' });
      await act(page, 'Forgotten', 'Revoke');
      await button(page, 'Revoke token').click();
      await page.getByRole('heading', { name: 'Every token was used in the last 90 days', exact: true }).waitFor();
    });

    it('are recognized by a pasted value, which leaves the page, and are revoked', async () => {
      const token = await creates('CI');
      const visit = await desk.open(ann, home);
      const { page } = visit;
      const field = page.getByRole('textbox', { name: 'Found a token somewhere?', exact: true });
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await field.fill(`export AGATE_TOKEN=${token}`);
      const found = page.getByRole('region', { name: 'This is “CI” of Rocket.', exact: true });
      await found.getByText('It works. Whoever has seen it can use it.').waitFor();
      expect(await field.inputValue()).toBe('');
      expect(await page.content()).not.toContain(token);
      expect(sent.join()).not.toContain(token);
      await desk.expectAccessible(visit, 'token-identified');
      await found.getByRole('button', { name: 'Revoke', exact: true }).click();
      await button(page, 'Revoke token').click();
      await found.getByText('It is revoked and works no longer.').waitFor();
      await desk.app.ci(token).get('/builds').expect(401);
      await field.fill('not a token at all');
      await page.getByText(/^This is no token\./).waitFor();
    });

    it('are hidden from members who may not manage every project, who still learn whose a value is', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, acme, ['READ']);
      const { page } = await desk.open(bob, home, { language: 'de' });
      await page
        .getByText(/Erfordert die Rolle „Verwaltung“/)
        .first()
        .waitFor();
      await page.getByRole('textbox', { name: 'Irgendwo ein Token gefunden?', exact: true }).waitFor();
    });
  });

  describe('of a person', () => {
    it('are made with scopes in an organization, rotated and revoked', async () => {
      const other = await ann.createsOrganization('Zenith');
      const visit = await desk.open(ann, `/account/tokens?org=${organization.id}`);
      const { page } = visit;
      await page.getByRole('heading', { level: 1, name: 'Personal access tokens', exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Organization', exact: true }).selectOption('Zenith');
      await page.waitForURL(`**/account/tokens?org=${other.id}`);
      await button(page, 'New token').click();
      const dialog = page.getByRole('dialog', { name: 'New token', exact: true });
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Release script');
      const presets = dialog.getByRole('radiogroup', { name: 'Scopes', exact: true });
      expect(await presets.getByRole('radio', { name: 'Read', exact: true }).isChecked()).toBe(true);
      await presets.getByRole('radio', { name: 'Choose', exact: true }).check();
      // Single scopes begin with those of the preset.
      const scopes = dialog.getByRole('group', { name: 'Choose', exact: true });
      const chosen = scopes.getByRole('checkbox', { checked: true });
      for (let left = await chosen.count(); left > 0; left--) await chosen.first().uncheck();
      await button(page, 'Create token').click();
      await dialog.getByText('Choose at least one scope.', { exact: true }).waitFor();
      await scopes.getByRole('checkbox', { name: 'See projects', exact: true }).check();
      await desk.expectAccessible(visit, 'personal-tokens-new');
      await button(page, 'Create token').click();
      await button(page, 'Done').waitFor();
      const token = await shownToken(page);
      expect(token).toMatch(PERSONAL_TOKEN);
      await desk.app.ci(token).get(`/projects?organization_id=${other.id}`).expect(200);
      await page.getByRole('checkbox', { name: 'I have kept it', exact: true }).check();
      await button(page, 'Done').click();
      await expectForgotten(page, token);
      await table(page, 'Personal access tokens').getByText('See projects', { exact: true }).waitFor();
      await desk.expectAccessible(visit, 'personal-tokens');

      await act(page, 'Release script', 'Rotate');
      await button(page, 'Rotate token').click();
      const rotated = await shownToken(page);
      await page.getByRole('checkbox', { name: 'I have kept it', exact: true }).check();
      await button(page, 'Done').click();
      await expectForgotten(page, rotated);
      await desk.app.ci(token).get(`/projects?organization_id=${other.id}`).expect(401);
      await act(page, 'Release script', 'Revoke');
      await button(page, 'Revoke token').click();
      await page.getByRole('heading', { level: 2, name: 'No tokens yet', exact: true }).waitFor();
      await desk.app.ci(rotated).get(`/projects?organization_id=${other.id}`).expect(401);
    });

    it('speak German', async () => {
      const { page } = await desk.open(ann, '/account/tokens', { language: 'de' });
      await page.getByRole('heading', { level: 1, name: 'Persönliche Tokens', exact: true }).waitFor();
    });
  });
});
