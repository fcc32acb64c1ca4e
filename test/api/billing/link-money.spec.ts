import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { parse } from 'plist';
import { DownloadProgressRecorder } from '../../../src/modules/builds/downloads/log/download-progress-recorder';
import {
  type Bearer,
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { setBalance } from '../../support/checks/billing-consistency';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

jest.setTimeout(120_000);

/** Set LINK_MONEY_RUNS=300 for a long run. */
const RUNS = Number(process.env['LINK_MONEY_RUNS'] ?? 6);
const PRICE = 120;
const SIZE = 1_000_000;
const MAC = { platform: 'macos', version: '1.0' };

/** Every holder of an install link is a stranger, so what a link can cost or hold is limited. */
describe('an install link', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let build: BuildJson;
  let link: string;
  let packageOfKey: string;
  let ci: Bearer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { TRUST_PROXY: '127.0.0.1', TRIAL_CREDIT_MICRO_USD: '5000000' } });
    // The tests advance the clock by hours. The fee of another month would take the whole credit.
    await app.clock.advanceToFifth();
    ann = await app.developer();
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    build = await ann.uploads(project, { bytes: randomBytes(SIZE), fileName: 'Demo.dmg' }, MAC);
    link = new URL(build.install_url).pathname;
    const { body } = await ann.post(`/update-keys?${scope(project)}`, { platform: 'macos' }).expect(201);
    const { key } = body as { key: string };
    packageOfKey = `/updates/${key}/builds/${build.id}/Demo.dmg`;
    ci = app.ci(await ann.createsToken(project, 'DOWNLOAD_BUILD'));
  });
  afterAll(() => app.stop());

  let clients = 0;
  const newClient = (): string => `198.51.${(++clients >> 8) & 255}.${clients & 255}`;
  const get = (path: string, client: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> =>
    rawRequest(app.url + path, { headers: { 'X-Forwarded-For': client, ...headers } });
  const pathOf = (url: string): string => new URL(url, app.url).pathname;
  const packageOf = (client: string, from = link): Promise<RawResponse> => get(`${from}/package.dmg`, client);
  /** Follows the link to a download with these headers, and disconnects after the first bytes if `dropped`. */
  const downloads = async (client: string, headers: Readonly<Record<string, string>>, dropped = false) => {
    const minted = await packageOf(client);
    if (minted.status !== 302) return minted.status;
    const path = pathOf(minted.headers.location ?? '');
    return dropped ? drops(path, headers) : (await get(path, client, headers)).status;
  };
  const drops = (path: string, headers: Readonly<Record<string, string>>, { url } = app): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(url + path, { headers, agent: false }, (response) => {
        response.once('close', () => resolve(response.statusCode ?? 0)).on('error', () => undefined);
        response.once('data', () => response.destroy());
        response.once('end', () => response.destroy());
      });
      request.on('error', reject).end();
    });
  const charged = async (): Promise<number> => {
    const [row] = await app.sql<{ sum: string }>(
      `SELECT coalesce(-sum(amount_micro_usd), 0) AS sum FROM ledger_entry WHERE kind = 'usage_download' AND organization_id = $1`,
      [organization.id],
    );
    return Number(row?.sum);
  };
  const held = async (): Promise<number> => {
    const [row] = await app.sql<{ sum: string }>(
      `SELECT coalesce(sum(amount_micro_usd), 0) AS sum FROM reservation
       WHERE organization_id = $1 AND state = 'active' AND expires_at > app_now()`,
      [organization.id],
    );
    return Number(row?.sum);
  };
  const ownDownload = () => ci.post(`/builds/${build.id}/download-url?${scope(project)}`);

  // red when: each request mints a ticket
  it('bills one artifact for 30 requests for one byte each', async () => {
    const [client, before] = [newClient(), await charged()];
    for (let n = 0; n < 30; n++) expect(await downloads(client, { Range: 'bytes=0-0' })).toBe(206);
    expect((await charged()) - before).toBe(PRICE);
  });

  // red when: manifest and package mint tickets of their own
  it('gives manifest and package of one client the same ticket, and another client a different one', async () => {
    const ios = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    const path = pathOf(ios.install_url);
    const ticketOf = async (file: string, client: string): Promise<string> => {
      const response = await get(`${path}/${file}`, client);
      if (response.status === 302) return response.headers.location ?? '';
      const manifest = parse(response.text) as unknown as { items: { assets: { url: string }[] }[] };
      return manifest.items[0]!.assets[0]!.url;
    };
    const [one, two] = [newClient(), newClient()];
    const before = await held();
    const of = (client: string) =>
      Promise.all(['manifest.plist', 'package.ipa', 'manifest.plist', 'package.ipa'].map((f) => ticketOf(f, client)));
    const [first, second] = [new Set(await of(one)), new Set(await of(two))];
    expect([first.size, second.size, new Set([...first, ...second]).size]).toEqual([1, 1, 2]);
    expect((await held()) - before).toBeLessThanOrEqual(2);
    // IPv6 clients are distinguished by their network, as for rate limits.
    const six = await Promise.all(
      ['2001:db8::1', '2001:db8::2', '2001:db8:1::1'].map((c) => ticketOf('package.ipa', c)),
    );
    expect(six[0]).toBe(six[1]);
    expect(six[2]).not.toBe(six[0]);
    const [mail] = [...first];
    expect((await get(pathOf(mail!), one)).status).toBe(200);
  });

  it('returns a ticket that is valid for at least a quarter of an hour', async () => {
    const client = newClient();
    const first = (await packageOf(client)).headers.location;
    await app.clock.advance({ minutes: 20 });
    expect((await packageOf(client)).headers.location).toBe(first);
    await app.clock.advance({ minutes: 20 });
    expect((await get(pathOf(first!), client, { Range: 'bytes=0-0' })).status).toBe(206);
    await app.clock.advance({ minutes: 31 });
    expect((await packageOf(client)).headers.location).not.toBe(first);
    await app.clock.advance({ minutes: 31 });
  });

  // red when: requests that break off use up one ticket after the other
  it('bills at most three artifacts for aborted downloads, and says when to retry', async () => {
    const [client, before] = [newClient(), await charged()];
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push(await downloads(client, { Range: 'bytes=0-' }, n % 2 === 0));
    expect(statuses.filter((status) => status === 206)).toHaveLength(9);
    expect((await charged()) - before).toBe(3 * PRICE);
    const rejected = await packageOf(client);
    expect([rejected.status, JSON.parse(rejected.text)]).toMatchObject([
      429,
      { error: 'rate_limit_exceeded', details: { reason: 'link_downloads_reached' } },
    ]);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(1700);
    const page = await get(`${link}/package.dmg`, client, { Accept: 'text/html' });
    expect([page.status, page.text]).toEqual([429, expect.stringContaining('Try again in some minutes.')]);
    expect(page.text).not.toContain('Check what you entered');
    expect(await downloads(newClient(), {})).toBe(200);
    await app.clock.advance({ minutes: 31 });
    expect(await downloads(client, {})).toBe(200);
  });

  // red when: downloads are limited although they cost nothing
  it('is not limited while billing is off', async () => {
    const free = await TestApp.start({
      beside: app,
      environment: { TRUST_PROXY: '127.0.0.1', BILLING: 'off' },
      worker: false,
    });
    try {
      const client = newClient();
      for (let n = 0; n < 12; n++) {
        const { status, headers } = await rawRequest(`${free.url}${link}/package.dmg`, {
          headers: { 'X-Forwarded-For': client },
        });
        expect(status).toBe(302);
        expect(await drops(pathOf(headers.location ?? ''), { Range: 'bytes=0-' }, free)).toBe(206);
      }
    } finally {
      await free.stop();
    }
  });

  // red when: whole downloads count as ones that broke off, so that an office behind one address is locked out
  it('serves an office behind one address, and bills every third whole download', async () => {
    const [client, before] = [newClient(), await charged()];
    const statuses = [];
    for (let n = 0; n < 15; n++) {
      statuses.push(await downloads(client, {}));
      // The log, which also records deliveries, is written after a moment.
      if (n % 3 === 2) await app.nest.get(DownloadProgressRecorder, { strict: false }).beforeApplicationShutdown();
    }
    expect(statuses).toEqual(Array<number>(15).fill(200));
    expect((await charged()) - before).toBe(5 * PRICE);
  });

  // red when: a ticket that nobody uses holds credit: forty addresses stop all downloads for half an hour
  it.each(['an install link', 'an update key'])(
    'holds nothing for forty addresses of %s that read no byte, so that all others can download',
    async (kind) => {
      const path = kind === 'an update key' ? packageOfKey : `${link}/package.dmg`;
      await setBalance(app, organization.id, BigInt(41 * PRICE));
      const [heldBefore, before] = [await held(), await charged()];
      const attackers = Array.from({ length: 40 }, () => newClient());
      const minted = await Promise.all(attackers.map((client) => get(path, client)));
      expect(minted.map(({ status }) => status)).toEqual(Array<number>(40).fill(302));
      expect(await held()).toBe(heldBefore);
      for (let n = 0; n < 5; n++) {
        const client = newClient();
        const { status, headers } = await get(path, client);
        expect([status, (await get(pathOf(headers.location ?? ''), client)).status]).toEqual([302, 200]);
      }
      await ownDownload().expect(200);
      expect((await charged()) - before).toBe(5 * PRICE);
      await app.clock.advance({ minutes: 31 });
    },
  );

  // red when: the first use of a ticket does not check the credit under the lock of the account (the balance goes below zero)
  it('charges what is there when more clients than it can pay send their first byte concurrently', async () => {
    await setBalance(app, organization.id, BigInt(7 * PRICE));
    const clients = Array.from({ length: 16 }, () => newClient());
    const tickets = await Promise.all(clients.map(async (client) => (await packageOf(client)).headers.location ?? ''));
    await ownDownload().expect(200);
    const before = await charged();
    const first = await Promise.all(tickets.map((url, n) => get(pathOf(url), clients[n]!)));
    const statuses = first.map(({ status }) => status).sort();
    // What the owner has reserved is not spent by others.
    expect(statuses).toEqual([...Array<number>(6).fill(200), ...Array<number>(10).fill(402)]);
    expect((await charged()) - before).toBe(6 * PRICE);
    expect((await packageOf(newClient())).status).toBe(402);
    // A ticket that was refused works as soon as there is credit.
    const refused = first.findIndex(({ status }) => status === 402);
    expect(JSON.parse(first[refused]!.text)).toMatchObject({ error: 'prepaid_credit_exhausted' });
    await setBalance(app, organization.id, BigInt(3 * PRICE));
    expect((await get(pathOf(tickets[refused]!), clients[refused]!)).status).toBe(200);
    await app.clock.advance({ minutes: 31 });
    await setBalance(app, organization.id, 5_000_000n);
  });

  it('uses the credit of reservations that have expired', async () => {
    await setBalance(app, organization.id, BigInt(PRICE));
    await ownDownload().expect(200);
    expect((await packageOf(newClient())).status).toBe(402);
    await app.sql(`UPDATE reservation SET expires_at = app_now() WHERE organization_id = $1 AND state = 'active'`, [
      organization.id,
    ]);
    expect(await downloads(newClient(), {})).toBe(200);
    await setBalance(app, organization.id, 5_000_000n);
  });

  // red when: only addresses are counted, and each /64 of a network gets three charges
  it('bills at most thirty artifacts that are not delivered for the addresses of one IPv6 /48, and serves others', async () => {
    await app.clock.advance({ minutes: 31 });
    const before = await charged();
    const inNetwork = Array.from({ length: 40 }, (_, n) => `2001:db8:7:${(n + 1).toString(16)}::1`);
    const statuses = await Promise.all(inNetwork.map((client) => downloads(client, { Range: 'bytes=0-0' })));
    expect(statuses.sort()).toEqual([...Array<number>(30).fill(206), ...Array<number>(10).fill(429)]);
    expect((await charged()) - before).toBe(30 * PRICE);
    expect(await downloads('2001:db8:8::1', {})).toBe(200);
    await app.clock.advance({ minutes: 31 });
    expect(await downloads(inNetwork[0]!, {})).toBe(200);
  });

  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        client: fc.nat(2),
        range: fc.constantFrom('bytes=0-0', 'bytes=0-', 'bytes=-1', 'bytes=-1000000', 'bytes=500000-', 'bytes=0-1,5-6'),
        dropped: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ minutes: fc.integer({ min: 1, max: 20 }) }) },
  );

  it('bills at most three artifacts per address and half hour for any sequence of range requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        const addresses = [newClient(), newClient(), newClient()];
        const bills: { client: number; minute: number; amount: number }[] = [];
        let [minute, before] = [0, await charged()];
        for (const each of steps) {
          if ('minutes' in each) {
            await app.clock.advance(each);
            minute += each.minutes;
            continue;
          }
          await downloads(addresses[each.client]!, { Range: each.range }, each.dropped);
          const after = await charged();
          bills.push({ client: each.client, minute, amount: after - before });
          before = after;
          const recent = bills.filter((bill) => bill.client === each.client && bill.minute > minute - 30);
          expect(recent.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(3 * PRICE);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
