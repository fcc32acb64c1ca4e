import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Locator, type Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { until } from '../../../support/until';
import { Desk, table } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe('webhooks in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let receiver: Server;
  const received: Received[] = [];
  let status = 200;
  const address = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(status).end('thanks');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    desk = await Desk.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
  });
  afterEach(() => desk.endVisits());
  afterAll(async () => {
    await desk?.stop();
    receiver.closeAllConnections();
    receiver.close();
  });

  const ofProject = (): string => `/o/${organization.id}/p/${project.id}/settings/webhooks`;
  const ofOrganization = (): string => `/o/${organization.id}/settings/webhooks`;

  it('are created from the settings, and the delivery of an upload is shown and sent again', async () => {
    const visit = await desk.open(ann, `/o/${organization.id}/p/${project.id}/settings`);
    const { page } = visit;
    await page.getByRole('link', { name: 'Open webhooks' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await desk.expectAccessible(visit, 'webhooks-empty');
    await button(page, 'Create the first webhook').press('Enter');
    const creation = dialog(page, 'New webhook');
    await creation.getByRole('textbox', { name: 'Name' }).fill('Releases');
    await creation.getByRole('combobox', { name: 'Format' }).selectOption('Microsoft Teams');
    await creation.getByText('In Teams: Workflows › When a webhook request is received.').waitFor();
    // red when: a reader has to open the preview, or scroll to it
    const preview = creation.getByText('Rocket 2.1.0 (210) was released to Beta');
    await preview.waitFor();
    expect((await preview.boundingBox())!.y).toBeLessThan(500);
    // red when: all events stand open before a reader wants to choose some
    expect(await creation.getByRole('checkbox', { name: 'Build uploaded' }).count()).toBe(0);
    await desk.expectAccessible(visit, 'webhook-new');
    await creation.getByRole('radio', { name: 'Choose events' }).check();
    expect(await creation.getByRole('checkbox', { name: 'Build uploaded' }).isChecked()).toBe(true);
    await creation.getByRole('checkbox', { name: 'Testers: all events' }).check();
    expect(await creation.getByRole('checkbox', { name: 'Tester added' }).isChecked()).toBe(true);
    await creation.getByRole('checkbox', { name: 'Testers: all events' }).uncheck();
    await desk.expectAccessible(visit, 'webhook-new-chosen');
    await creation.getByRole('combobox', { name: 'Format' }).selectOption('Signed JSON (Standard Webhooks)');
    await creation.getByRole('textbox', { name: 'Address' }).fill(address());
    await button(creation, 'Create webhook').press('Enter');
    const shown = dialog(page, 'Copy the secret now');
    const secret = await shown.getByRole('textbox', { name: 'Secret' }).inputValue();
    await shown.getByRole('checkbox', { name: 'I have kept it' }).check();
    await button(shown, 'Done').click();
    await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await ann.uploads(project, { bytes: apk(), fileName: 'rocket.apk' });
    await until(() => received.length === 1);
    const [message] = received;
    expect(new Webhook(secret).verify(message!.body, message!.headers)).toMatchObject({ type: 'build.uploaded' });

    await page.reload();
    const deliveries = table(page, 'Deliveries');
    await deliveries.getByText('Delivered').waitFor();
    await desk.expectAccessible(visit, 'webhook');
    await deliveries.getByRole('button').press('Enter');
    const delivery = page.getByRole('dialog');
    await delivery.getByRole('figure', { name: 'Request' }).getByText('build.uploaded').waitFor();
    await delivery.getByRole('figure', { name: 'Answer' }).getByText('thanks').waitFor();
    await page.reload();
    await delivery.getByRole('figure', { name: 'Answer' }).waitFor();
    await desk.expectAccessible(visit, 'webhook-delivery');
    await button(delivery, 'Send again').click();
    await page.getByText(/^The receiver accepted the message in \d+ ms\.$/).waitFor();
    expect(received).toHaveLength(2);
    await delivery.getByText('2', { exact: true }).waitFor();
    expect(received[1]!.body).toBe(message!.body);
    expect(received[1]!.headers['webhook-id']).toBe(message!.headers['webhook-id']);
  });

  it('are tested, changed, switched off and on, and deleted by their menu', async () => {
    const visit = await desk.open(ann, ofProject());
    const { page } = visit;
    await table(page, 'Webhooks').getByRole('link', { name: 'Releases' }).click();
    const before = received.length;
    await button(page, 'Send test').click();
    await page.getByText(/^The receiver accepted the message in \d+ ms\.$/).waitFor();
    expect(received).toHaveLength(before + 1);
    await table(page, 'Deliveries').getByRole('row').nth(2).getByText('Delivered').waitFor();
    await button(page, 'Actions for Releases').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = dialog(page, 'Edit Releases');
    await form.getByText('Empty: it stays at 127.0.0.1').waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill('News');
    await button(form, 'Save changes').click();
    await page.getByRole('heading', { level: 1, name: 'News' }).waitFor();
    await button(page, 'Actions for News').press('Enter');
    await page.getByRole('menuitem', { name: 'Switch off' }).press('Enter');
    await button(page, 'Switch on').press('Enter');
    await desk.expectAccessible(visit, 'webhook-resume');
    await button(dialog(page, 'Switch on'), 'Switch on').click();
    await page.getByText('The webhook is on.').waitFor();
    await button(page, 'Actions for News').click();
    await page.getByRole('menuitem', { name: 'Delete webhook' }).click();
    await button(page.getByRole('alertdialog'), 'Delete webhook').click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });

  it('of a chat lead from the form to the first test, which says what the receiver answered', async () => {
    const { page } = await desk.open(ann, ofOrganization());
    await button(page, 'New webhook').press('Enter');
    const creation = dialog(page, 'New webhook');
    await creation.getByRole('textbox', { name: 'Name' }).fill('Team chat');
    await creation.getByRole('textbox', { name: 'Address' }).fill(address());
    await button(creation, 'Create webhook').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Team chat' }).waitFor();
    status = 500;
    await button(page, 'Send test').press('Enter');
    await page.getByText('The receiver did not accept the message: 500.').waitFor();
    status = 200;
    await page.goBack();
    await table(page, 'Webhooks').getByRole('link', { name: 'Team chat' }).waitFor();
    // red when: the card in the settings does not say whether there are webhooks
    await page.getByRole('link', { name: 'Organization settings', exact: true }).first().click();
    const group = page.getByRole('region', { name: 'Appearance and connections', exact: true });
    await group
      .getByRole('region', { name: 'Webhooks', exact: true })
      .getByText('1 webhook', { exact: true })
      .waitFor();
  });

  it('of projects stand in the list of the organization with the name of their project, in which they open', async () => {
    await ann.post(`/webhooks?organization_id=${organization.id}&project_id=${project.id}`).send({
      name: 'Rocket chat',
      url: address(),
      types: ['build.uploaded'],
    });
    const visit = await desk.open(ann, ofOrganization());
    const { page } = visit;
    const row = (name: string): Locator => table(page, 'Webhooks').getByRole('row', { name });
    // red when: a webhook of a project looks like one of the organization
    await row('Rocket chat').getByRole('cell', { name: 'Rocket', exact: true }).waitFor();
    await row('Team chat').getByRole('cell', { name: 'All projects', exact: true }).waitFor();
    await desk.expectAccessible(visit, 'webhooks-of-organization');
    // red when: it opens as a webhook of the organization, whose form offers events that its project lacks
    await row('Rocket chat').getByRole('link', { name: 'Rocket chat' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Rocket chat' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${ofProject()}/`));
  });

  it('say which role is needed, also in German', async () => {
    const bob = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, bob.id]);
    const { page } = await desk.open(bob, ofOrganization(), { language: 'de' });
    await page.getByRole('heading', { name: 'Sie können die Webhooks nicht sehen' }).waitFor();
    expect(await button(page, 'Neuer Webhook').getAttribute('aria-disabled')).toBe('true');
  });
});
