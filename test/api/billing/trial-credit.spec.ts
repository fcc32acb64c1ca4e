import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

const LIMIT = 2;
const TRIAL = 5_000_000;

interface Account {
  readonly balance_micro_usd: number;
  readonly available_micro_usd: number;
}

/** Otherwise a developer could delete and create organizations to get unlimited trial credit. */
describe('the trial credit', () => {
  let app: TestApp;
  let ann: Developer;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_ORGANIZATIONS_PER_DEVELOPER: String(LIMIT) } });
    // Weeks before the end of a month, when fees change the balances.
    await app.clock.advanceToFifth();
    ann = await app.developer();
  });
  afterAll(() => app.stop());

  const at = ({ id }: OrganizationRef, path: string): string => `/organizations/${id}/billing${path}`;
  const account = async (by: Developer, organization: OrganizationRef): Promise<Account> =>
    (await by.get(at(organization, '')).expect(200)).body as Account;
  const kindsOf = async (by: Developer, organization: OrganizationRef): Promise<string[]> => {
    const { body } = await by.get(at(organization, '/ledger')).expect(200);
    return (body as { items: { kind: string }[] }).items.map(({ kind }) => kind);
  };

  // red when: the trial credits of a developer are not counted
  it('is granted for as many organizations as a developer may have at the same time, and not for later ones', async () => {
    const first = await ann.createsOrganization();
    const second = await ann.createsOrganization();
    for (const organization of [first, second]) {
      expect(await account(ann, organization)).toMatchObject({ balance_micro_usd: TRIAL, available_micro_usd: TRIAL });
    }
    await ann.post('/organizations', { name: 'One more' }).expect(400);
    await ann.delete(`/organizations/${first.id}`).expect(204);

    const third = await ann.createsOrganization();
    const { balance_micro_usd: balance } = await account(ann, third);
    // Its first fee was charged.
    expect(balance).toBeLessThan(0);
    expect(balance).toBeGreaterThanOrEqual(-5_000_000);
    expect(await kindsOf(ann, third)).toEqual(['plan_fee']);
    // The rejected request did not count.
    const [counted] = await app.sql('SELECT trial_credits FROM developer WHERE id = $1', [ann.id]);
    expect(counted).toEqual({ trial_credits: LIMIT });
  });

  it('is counted for each developer separately', async () => {
    const bob = await app.developer();
    const organization = await bob.createsOrganization();
    expect(await account(bob, organization)).toMatchObject({ balance_micro_usd: TRIAL });
    expect(await kindsOf(bob, organization)).toEqual(['trial_credit', 'plan_fee']);
  });
});
