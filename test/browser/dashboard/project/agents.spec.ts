import { type Locator, type Page } from 'playwright-core';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../../support/actors/actors';
import { Desk } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

describe('agents in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  afterEach(() => desk.endVisits());
  afterEach(() => desk.stop());

  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
    desk = await Desk.start(environment);
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
  };
  const ofProject = (screen: string): string => `/o/${organization.id}/p/${project.id}${screen}`;

  it('get a token that only reads, whose use is shown', async () => {
    await start();
    const visit = await desk.open(ann, ofProject('/settings'));
    const { page } = visit;
    await page.getByRole('link', { name: 'Open agents', exact: true }).click();
    const { origin } = new URL(page.url());
    await page.getByText(`claude mcp add --transport http agate ${origin}/mcp`).waitFor();
    await page
      .getByRole('combobox', { name: 'Agent', exact: true })
      .selectOption('Another agent, with the command line');
    await page.getByText(/"AGATE_URL"/).waitFor();
    await region(page, 'Read-only tokens').getByText('None yet.').waitFor();
    await desk.expectAccessible(visit, 'agents');
    await button(page, 'New read-only token').press('Enter');
    await page.getByRole('dialog', { name: 'New read-only token', exact: true }).waitFor();
    await page.reload();
    await desk.expectAccessible(visit, 'agents-new');
    await button(page, 'Create token').click();
    const dialog = page.getByRole('dialog', { name: 'Copy the token of your agent now', exact: true });
    const token = await dialog.getByRole('textbox', { name: 'Token', exact: true }).inputValue();
    await desk.expectAccessible(visit, 'agents-secret');
    await dialog.getByRole('checkbox', { name: 'I have kept it', exact: true }).check();
    await button(dialog, 'Done').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
    await region(page, 'Read-only tokens').getByText('Last used: never').waitFor();

    const agent = desk.app.ci(token);
    expect((await agent.get(`/builds?${scope(project)}`)).status).toBe(200);
    expect((await agent.post(`/channels?${scope(project)}`, { name: 'No' })).status).toBe(403);
    await page.reload();
    await region(page, 'Read-only tokens')
      .getByText(/Last used: (now|.* ago)/)
      .waitFor();
  });

  // red when: the buttons do not read `mcp` of the service
  it('are offered nowhere when the operator has switched the MCP server off', async () => {
    await start({ MCP: 'off' });
    const visit = await desk.open(ann, ofProject('/settings/agents'), { language: 'de' });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Agenten sind abgeschaltet', exact: true }).waitFor();
    expect(await button(page, 'Neues Token nur zum Lesen').count()).toBe(0);
    await desk.expectAccessible(visit, 'agents-off');
    await desk.go(visit, ofProject('/settings'));
    await page.getByRole('link', { name: 'Webhooks öffnen' }).waitFor();
    expect(await page.getByRole('link', { name: 'Agenten öffnen' }).count()).toBe(0);
    await desk.go(visit, ofProject('/tokens'));
    await page.getByRole('heading', { name: 'Noch keine Tokens' }).waitFor();
    expect(await page.getByRole('link', { name: 'Agenten verbinden' }).count()).toBe(0);
  });
});
