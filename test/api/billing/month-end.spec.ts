import { randomBytes } from 'node:crypto';
import { periodOf } from '#kernel/billing/period';
import { utcDate } from '#kernel/text/utc-date';
import { OperatorBillingService } from '#modules/billing';
import { Developer, type OrganizationRef } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { operator, setBalance } from '../../support/checks/billing-consistency';

const DAY_MS = 86_400_000;
const MB = 1_000_000;
const FILE = { bytes: randomBytes(MB), fileName: 'Demo.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

/** Uploads and downloads of an organization stop when a charge leaves nothing. Its members must learn it from a mail. */
describe('the end of a month', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let name: string;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    // So that the end of the month is weeks away.
    await app.clock.advanceToFifth();
    ann = await verifiedDeveloper(app);
    name = `Organization ${randomBytes(4).toString('hex')}`;
    organization = await ann.createsOrganization(name);
  });
  afterAll(() => app.stop());

  const until = (instant: Date): Promise<void> =>
    app.clock.advance({ seconds: Math.ceil((instant.getTime() - app.clock.now().getTime()) / 1000) });
  const monthEnd = (): number => periodOf(app.clock.now()).end.getTime();
  const logsIn = async (): Promise<void> => {
    ann = await Developer.logIn(app.url, ann.email, ann.password);
  };
  const subjects = async (to: string): Promise<string[]> =>
    (await app.mailbox.all(to)).map(({ subject = '' }) => subject).filter((subject) => subject.startsWith(name));
  const daily = (): Promise<void> => app.runsJob('billing.warn-of-fees');

  // red when: no schedule warns of the fee, or a fee that leaves nothing sends no mail
  it('of a trial causes a mail five days before, and another when uploads stop', async () => {
    const bob = await verifiedDeveloper(app);
    const eve = await verifiedDeveloper(app);
    const join = `INSERT INTO membership VALUES ($1, $2, $3, now())`;
    await app.sql(join, [organization.id, bob.id, '{BILLING}']);
    await app.sql(join, [organization.id, eve.id, '{MANAGER}']);
    const kim = await verifiedDeveloper(app);
    await app.sql(join, [organization.id, kim.id, '{ADMIN}']);
    await app.sql(`UPDATE developer SET language = 'de' WHERE id = $1`, [kim.id]);
    const project = await ann.createsProject(organization);
    await ann.uploads(project, FILE, MAC);

    await until(new Date(monthEnd() - 6 * DAY_MS));
    await daily();
    expect(await subjects(ann.email)).toEqual([]);
    await until(new Date(monthEnd() - 5 * DAY_MS));
    await daily();
    await daily();
    const announced = `${name} needs credit before ${utcDate(new Date(monthEnd()), 'en')}`;
    expect([await subjects(ann.email), await subjects(bob.email), await subjects(eve.email)]).toEqual([
      [announced],
      [announced],
      [],
    ]);
    const german = `${name} braucht Guthaben vor dem ${utcDate(new Date(monthEnd()), 'de')}`;
    expect(await subjects(kim.email)).toEqual([german]);
    const { text = '', html = '' } = await app.mailbox.latest(bob.email, 1);
    for (const body of [text, html].map((part) => part.replace(/\s+/g, ' '))) {
      expect(body).toContain('$5.00');
      expect(body).toContain('$4.99');
      expect(body).toMatch(/What stops.*uploads and downloads/);
      expect(body).toMatch(/What to do:.*request a top-up/);
    }

    await until(new Date(monthEnd() + 60_000));
    await app.runsJob('billing.close-periods');
    const stopped = `${name} can no longer upload or download builds`;
    expect(await subjects(ann.email)).toEqual([announced, stopped]);
    expect(await subjects(bob.email)).toEqual([announced, stopped]);
    expect(await subjects(kim.email)).toEqual([german, `${name} kann keine Builds mehr hoch- oder herunterladen`]);
    expect((await app.mailbox.latest(bob.email, 2)).text).toMatch(/fee of the plan[^]*What to do: request a top-up/);
    await logsIn();
    await ann.upload(project, FILE, MAC).expect(402);
    await setBalance(app, organization.id, 1_000_000n);
    await ann.upload(project, FILE, MAC).expect(201);
  });

  // red when: credit does not let the warning be sent again
  it('causes another mail when added credit is used up', async () => {
    await until(new Date(monthEnd() - 5 * DAY_MS));
    await daily();
    await setBalance(app, organization.id, 20_000_000n);
    await daily();
    expect(await subjects(ann.email)).toHaveLength(1);
    await setBalance(app, organization.id, 4_000_000n);
    await daily();
    expect(await subjects(ann.email)).toHaveLength(2);
  });

  it('causes no mail to organizations with credit, a waived fee, or the business plan', async () => {
    const billing = app.nest.get(OperatorBillingService);
    await until(new Date(monthEnd() - 5 * DAY_MS));
    await setBalance(app, organization.id, 5_000_001n);
    await daily();
    await setBalance(app, organization.id, 0n);
    await billing.waiveFee(operator(app), organization.id, true);
    await daily();
    await billing.waiveFee(operator(app), organization.id, false);
    await billing.setPlan(operator(app), organization.id, 'business');
    await daily();
    expect(await subjects(ann.email)).toEqual([]);
  });

  // red when: storage that uses up the credit or the cap sends no mail, or a budget alert beside it
  it.each(['team', 'business'] as const)(
    'need not come before the mail when storage uses up the available amount on %s',
    async (plan) => {
      await ann.changesPlan(organization, plan);
      const project = await ann.createsProject(organization);
      await ann.uploads(project, FILE, MAC);
      await setBalance(app, organization.id, 10n);
      if (plan === 'business') {
        await ann.patch(`/organizations/${organization.id}/billing`, { spend_cap_micro_usd: 30 }).expect(200);
      }
      // The job also waits for the mails of budget alerts.
      await app.runsJob('billing.release-expired');
      const before = await subjects(ann.email);
      await app.clock.advance({ days: 10 });
      await app.runsJob('billing.accrue-storage');
      expect((await subjects(ann.email)).slice(before.length)).toEqual([
        `${name} can no longer upload or download builds`,
      ]);
      const { text } = (await app.mailbox.all(ann.email)).at(-1)!;
      expect(text).toMatch(plan === 'team' ? /storage for[^]*request a top-up/ : /storage for[^]*raise the spend cap/);
      await app.clock.advance({ days: 1 });
      await app.runsJob('billing.accrue-storage');
      expect(await subjects(ann.email)).toHaveLength(before.length + 1);
    },
  );

  // red when: the fee is charged before the trial balances it
  it('causes no mail about the end of the credit when the plan changes in the month of the trial', async () => {
    await setBalance(app, organization.id, 1_000_000n);
    await ann.changesPlan(organization, 'business');
    await setBalance(app, organization.id, 1_000_000n);
    await ann.changesPlan(organization, 'team');
    await app.runsJob('billing.accrue-storage');
    expect(await subjects(ann.email)).toEqual([]);
  });
});
