import { randomBytes } from 'node:crypto';
import { type Locator } from 'playwright-core';
import { OperatorBillingService } from '#modules/billing';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../../support/actors/actors';
import { operator, setBalance } from '../../../support/checks/billing-consistency';
import { StripeDouble, WEBHOOK_SECRET } from '../../../support/servers/stripe-double';
import { type Visit } from '../../browser';
import { Desk, table } from '../desk';

const MB = 1_000_000;
const FILE = { bytes: randomBytes(3 * MB), fileName: 'Demo.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

type Sums = Readonly<Record<string, number>>;

/** Micro-dollars of a shown sum: `$0.00006` is 60. */
const microDollars = (text: string): number => Math.round(Number(text.replaceAll(/[^\d.-]/g, '')) * 1_000_000);

describe('billing in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let visit: Visit;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization);
    const build = await ann.uploads(project, FILE, MAC);
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    await desk.app.anonymous.get(new URL((body as { url: string }).url).pathname).expect(200);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const address = ({ id } = organization): string => `/o/${id}/billing`;
  const sums = async (path: string, of = organization): Promise<Sums> =>
    (await ann.get(`/organizations/${of.id}/${path}`).expect(200)).body as Sums;
  const button = (name: string): Locator => visit.page.getByRole('button', { name, exact: true });
  const text = (content: string | RegExp): Locator => visit.page.getByText(content);
  /** A number of the summary, with what is below it. */
  const number = async (label: string): Promise<string> => {
    const group = visit.page.locator('dl > div').filter({ has: visit.page.getByText(label, { exact: true }) });
    await group.waitFor();
    return (await group.locator('dd').allInnerTexts()).join('\n').trim();
  };
  /** The text of a cell, by the beginning of its row and its column. */
  const cell = async (of: string, row: RegExp, column: number): Promise<string> =>
    (await table(visit.page, of).getByRole('row', { name: row }).getByRole('cell').nth(column).innerText()).trim();

  it('shows what was used, what is left until when, and what is due when, with sums in whole cents', async () => {
    await setBalance(desk.app, organization.id, 3_200_000n);
    visit = await desk.open(ann, address());
    expect(await visit.page.getByRole('heading', { level: 1 }).innerText()).toBe('Billing and usage');
    expect(await number('Credit left')).toMatch(/^\$3\.20\nAt this pace until \d+ \w+( \d+)?\./);
    expect(await number('Used this month')).toMatch(/^<\s\$0\.01/);
    expect(await number('Next fee')).toMatch(/^\$5\.00\nOn 1 \w+ \d+, from your credit\.$/);
    const figure = visit.page.getByRole('figure', { name: 'Cost of usage by day', exact: true });
    // red when: the bar of less than a cent is as high as the chart, or as wide as the month
    const chart = (await figure.getByRole('img').boundingBox())!;
    // The last part of a bar is at its top.
    const top = (await figure.locator('g rect + rect').last().boundingBox())!;
    expect(top.width).toBeLessThan(chart.width / 28);
    expect(top.y).toBeLessThan(chart.y + chart.height);
    expect(top.y).toBeGreaterThan(chart.y + chart.height / 2);
    expect(await cell('Cost by meter', /^Upload/, 0)).toBe('3 MB');

    // red when: a screen shows a sum in millionths, or another one with other digits
    for (const meter of [/^Upload/, /^Download/, /^Total/])
      expect(await cell('Cost by meter', meter, 2)).toMatch(/^<\s\$0\.01$/);
    const ledger = visit.page.getByRole('list', { name: 'Ledger', exact: true });
    const today = ledger.getByRole('listitem').first();
    expect(await today.innerText()).toMatch(/Download.*Upload/);
    await today.locator('summary').click();
    const entries = today.getByRole('table', { name: /^Ledger of / });
    expect(
      await entries
        .getByRole('row', { name: /^Download/ })
        .getByRole('cell')
        .last()
        .innerText(),
    ).toBe('−$0.00…');
    await desk.expectAccessible(visit, 'billing');

    await visit.page.setViewportSize({ width: 390, height: 844 });
    const upload = table(visit.page, 'Cost by meter').getByRole('row', { name: /^Upload/ });
    const name = (await upload.getByRole('rowheader').boundingBox())!;
    const cost = (await upload.getByRole('cell').last().boundingBox())!;
    // red when: the cost of a meter is one of the labels and values below its name
    expect(cost.y + cost.height / 2).toBeCloseTo(name.y + name.height / 2, 0);
    expect(cost.x).toBeGreaterThan(name.x + name.width);
  });

  it('keeps the month in the address', async () => {
    await desk.app.sql(`UPDATE organization SET created_at = now() - interval '70 days' WHERE id = $1`, [
      organization.id,
    ]);
    visit = await desk.open(ann, address());
    const month = visit.page.getByRole('combobox', { name: 'Month', exact: true });
    const chosen = (await month.locator('option').nth(1).getAttribute('value'))!;
    await month.selectOption(chosen);
    await visit.page.waitForURL((url) => url.searchParams.get('month') === chosen);
    await text('Nothing was uploaded, downloaded or stored').waitFor();
    // red when: an empty chart with the highest cost $0.00 stands above the sentence
    expect(await visit.page.getByRole('figure').getByRole('img').count()).toBe(0);
    await visit.page.reload();
    await text('Nothing was uploaded, downloaded or stored').waitFor();
    expect(await month.inputValue()).toBe(chosen);
  });

  it('requests a top-up by keyboard, and shows when it waits and when it is approved', async () => {
    visit = await desk.open(ann, address());
    await button('Add credit').focus();
    await visit.page.keyboard.press('Enter');
    const dialog = visit.page.getByRole('dialog', { name: 'Add credit', exact: true });
    await dialog.waitFor();
    await visit.page.keyboard.type('nothing');
    await visit.page.keyboard.press('Enter');
    await dialog.getByText('Enter a sum without a thousands separator, for example 1200 or 12.50.').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount', exact: true }).fill('20.50');
    await visit.page.keyboard.press('Enter');
    await visit.page.getByRole('region', { name: 'Waiting for approval', exact: true }).waitFor();
    const id = new URL(visit.page.url()).searchParams.get('top_up')!;
    await table(visit.page, 'Top-ups').getByText('Waiting for approval').waitFor();

    const balance = (await sums('billing'))['balance_micro_usd']!;
    await desk.app.nest.get(OperatorBillingService).approveTopUp(operator(desk.app), id);
    await visit.page.reload();
    await visit.page.getByRole('region', { name: '$20.50 of credit were added', exact: true }).waitFor();
    expect((await sums('billing'))['balance_micro_usd']).toBe(balance + 20_500_000);
    const ledger = visit.page.getByRole('list', { name: 'Ledger', exact: true });
    const today = ledger.getByRole('listitem').filter({ hasText: 'Top-up' });
    await today.locator('summary').click();
    await today
      .getByRole('row', { name: /^Top-up/ })
      .getByText('$20.50', { exact: true })
      .waitFor();
  });

  it('changes the plan, the spending cap and the alerts of an organization', async () => {
    const other = await ann.createsOrganization('Other');
    visit = await desk.open(ann, address(other));
    await text('A spending cap needs the Business plan.').waitFor();
    await button('Change plan').click();
    const dialog = visit.page.getByRole('dialog', { name: 'Change plan', exact: true });
    await dialog.getByText('Channels, releases and own storage become available.').waitFor();
    // red when: the focus is on the first plan, although another one is chosen
    expect(await dialog.locator('input:focus').isChecked()).toBe(true);
    // red when: the dialog tells that a fee is due, but not how much
    // In the last minutes of a month, its rest costs less than half a cent: `< $0.01`.
    await dialog.getByText(/^Now: (<\s)?\$\d\.\d\d of this month’s Team fee are given back/).waitFor();
    await dialog
      .getByText(/^On 1 \w+ \d+: (<\s)?\$\d+\.\d\d for the rest of this month, then \$100\.00 a month\.$/)
      .waitFor();
    await dialog.getByText('The spending cap is $100.00 a month. You can lower it.').waitFor();
    await desk.expectAccessible(visit, 'billing-plan');
    await dialog.getByRole('button', { name: 'Change to Business', exact: true }).click();
    await text('At this pace enough for this month.').waitFor();
    expect(await number('Next bill')).toMatch(
      /^(<\s)?\$\d+\.\d\d\nOn 1 \w+ \d+: fee (<\s)?\$\d+\.\d\d, usage so far \$0\.00\./,
    );
    // red when: a refund and the credit that is taken back with it are shown as if the fee were charged twice
    const ledger = visit.page.getByRole('list', { name: 'Ledger', exact: true });
    await ledger.locator('summary').first().click();
    await ledger.getByText(/^The plan was changed: the rest of its fee was given back\./).waitFor();
    await ledger.getByRole('row', { name: /^Fee given back/ }).waitFor();
    await ledger.getByRole('row', { name: /^Trial credit taken back/ }).waitFor();

    const cap = visit.page.getByRole('region', { name: 'Spending cap', exact: true });
    // red when: the forms of both limits stand open on a screen that is read more often than changed
    expect(await visit.page.getByRole('main').getByRole('textbox').count()).toBe(0);
    await button('Change cap').click();
    const field = cap.getByRole('textbox', { name: 'Spending cap', exact: true });
    await field.fill('500');
    await field.press('Enter');
    await cap.getByText('A cap above $100.00, or none, can only be set by an operator of the service.').waitFor();
    visit.problems.length = 0;
    await field.fill('12,50');
    await field.press('Enter');
    await text('The spending cap was changed.').waitFor();
    expect(await number('Spending cap')).toMatch(/^\$12\.50/);
    await cap.getByText('$12.50', { exact: true }).waitFor();
    await button('Change cap').click();
    const slider = cap.getByRole('slider', { name: 'Spending cap', exact: true });
    expect(await slider.getAttribute('aria-valuetext')).toBe('$12.50');
    // The slider stands at the nearest whole dollar, 13.
    await slider.press('ArrowRight');
    expect([await field.inputValue(), await slider.getAttribute('aria-valuetext')]).toEqual(['14', '$14.00']);
    await slider.press('End');
    expect(await field.inputValue()).toBe('100');
    await slider.press('Home');
    await cap.getByText('This is less than what was spent this month').waitFor({ state: 'detached' });
    await button('Cancel').click();
    await button('Change alerts').click();
    await visit.page.getByRole('checkbox', { name: '90%', exact: true }).uncheck();
    await button('Save alerts').click();
    await text('The budget alerts were changed.').waitFor();
    expect(await sums('billing', other)).toMatchObject({
      plan: 'business',
      spend_cap_micro_usd: 12_500_000,
      budget_alert_percents: [50, 80, 100],
    });
  });

  it('saves the ledger as CSV', async () => {
    visit = await desk.open(ann, address());
    const [download] = await Promise.all([visit.page.waitForEvent('download'), button('Export ledger').click()]);
    const lines = (await streamed(await download.createReadStream())).trim().split('\r\n');
    expect(download.suggestedFilename()).toBe('ledger.csv');
    const amounts = lines.slice(1).map((line) => microDollars(line.split(',')[5]!));
    expect(amounts.reduce((total, amount) => total + amount, 0)).toBe((await sums('billing'))['balance_micro_usd']);
  });

  it('shows when the first statement will be created', async () => {
    visit = await desk.open(ann, address());
    await text('The first statement comes when this month is over.').waitFor();
  });

  it('names the role to a member without it, and is German', async () => {
    const eve = await desk.app.developer();
    await desk.app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, eve.id]);
    visit = await desk.open(eve, address());
    await visit.page.getByRole('heading', { name: 'Needs the role “Billing”', exact: true }).waitFor();
    expect(await button('Add credit').getAttribute('aria-disabled')).toBe('true');
    await desk.expectAccessible(visit, 'billing-refused');
    const german = await desk.open(ann, address(), { language: 'de' });
    await german.page.getByRole('heading', { level: 1, name: 'Abrechnung und Nutzung', exact: true }).waitFor();
    await german.page.getByText(/^Bei diesem Verbrauch /).waitFor();
    const stranger = await desk.open(await desk.app.developer(), address());
    await stranger.page.getByRole('heading', { name: 'Not found', exact: true }).waitFor();
    stranger.problems.length = 0;
  });
});

async function streamed(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString()
    .replace(/^\uFEFF/, '');
}

describe('a payment with Stripe', () => {
  let desk: Desk;
  let double: StripeDouble;
  beforeAll(async () => {
    double = await StripeDouble.start();
    desk = await Desk.start({
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_of_the_double',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: double.url,
    });
  });
  afterAll(async () => {
    await desk?.stop();
    await double?.stop();
  });

  it('leads to its page, and back to the state of the top-up', async () => {
    const ann = await desk.app.developer();
    const { id } = await ann.createsOrganization();
    const visit = await desk.open(ann, `/o/${id}/billing`);
    const { page } = visit;
    await page.route(/^https:.*checkout/, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Pay</h1>' }));
    await page.getByRole('button', { name: 'Add credit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('20');
    await page.getByRole('button', { name: 'Continue to payment', exact: true }).click();
    await page.waitForURL((url) => url.href === double.sessions[0]?.url);

    const back = double.sessions[0]!.success_url;
    await page.goto(back);
    await page.getByRole('region', { name: 'Waiting for payment', exact: true }).waitFor();
    const pay = page.getByRole('region', { name: 'Waiting for payment', exact: true }).getByRole('link');
    expect(await pay.getAttribute('href')).toBe(double.sessions[0]?.url);
    const { body, signature } = double.notification(double.sessions[0]!);
    await desk.app.anonymous
      .post('/api/v1/billing/webhooks/stripe')
      .set('Content-Type', 'application/json')
      .set('Stripe-Signature', signature)
      .send(body)
      .expect(204);
    await page.reload();
    await page.getByRole('region', { name: '$20.00 of credit were added', exact: true }).waitFor();
    await desk.endVisits();
  });
});

describe('billing of a service that charges nothing', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.start({ BILLING: 'off' });
  });
  afterAll(() => desk?.stop());

  it('shows usage without costs, and nothing to buy', async () => {
    const ann = await desk.app.developer();
    const { id } = await ann.createsOrganization();
    const visit = await desk.open(ann, `/o/${id}/billing`);
    await visit.page.getByRole('region', { name: /^This service charges nothing/ }).waitFor();
    await visit.page.getByRole('figure', { name: 'Usage by day', exact: true }).waitFor();
    const names = await visit.page.getByRole('main').getByRole('button').allInnerTexts();
    expect(names).toEqual(['Show as table']);
    expect(await visit.page.getByRole('main').innerText()).not.toContain('$');
    await desk.expectAccessible(visit, 'billing-off');
    await desk.endVisits();
  });
});
