import { randomBytes, randomInt } from 'node:crypto';
import { ByosaService } from '#modules/storage';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../support/actors/actors';
import { customerAzure, customerS3, type CustomerStore, putByosa } from '../../support/actors/byosa';
import { mockDns, NOWHERE, PRIVATE, PUBLIC, RebindingStore } from '../../support/servers/rebinding-store';
import { TestApp } from '../../support/app/test-app';

jest.setTimeout(180_000);

const MAC = { platform: 'macos', version: '1.0' };
const FILE = { bytes: randomBytes(70_000), fileName: 'Own.dmg' };
const portOf = ({ proxy }: CustomerStore): number => Number(new URL(proxy.url).port);

type Settings = Record<string, Record<string, unknown>>;
interface Tenant {
  readonly organization: OrganizationRef;
  readonly project: ProjectRef;
  readonly build: BuildJson;
  readonly settings: Settings;
}

/** Contract §11: what leads to a customer's store, leads nowhere else. */
describe.each([
  // The emulators take what stands before a dot for the bucket, and for the account.
  ['s3', customerS3, 'store'],
  ['azure', customerAzure, 'agatetest.store.example'],
] as const)("an organization's own store on %s", (provider, start, name) => {
  let app: TestApp;
  let store: CustomerStore;
  let rebinding: RebindingStore;
  let ann: Developer;
  beforeAll(async () => {
    store = await start();
    rebinding = await RebindingStore.start(name, portOf(store));
    mockDns([rebinding]);
    app = await TestApp.start({ environment: { BYOSA_ALLOWED_HOSTS: PUBLIC, DOWNLOAD_DELIVERY: 'stream' } });
    ann = await app.developer();
  });
  afterEach(() => {
    rebinding.resolvesTo(PUBLIC);
    store.proxy.redirectsTo = undefined;
  });
  afterAll(async () => {
    await app.stop();
    await rebinding.stop();
    await store.stop();
    jest.restoreAllMocks();
  });

  const business = async (): Promise<OrganizationRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    return organization;
  };
  const settingsAtTheName = async (): Promise<Settings> => {
    const settings = (await store.settings()) as Settings;
    return { [provider]: { ...settings[provider], endpoint: rebinding.endpoint } };
  };
  /** Has a store of its own in use, and a build in it. */
  const tenant = async (): Promise<Tenant> => {
    const organization = await business();
    const settings = await settingsAtTheName();
    await putByosa(ann, organization, settings).expect(200);
    await app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organization.id, 'byosa');
    const project = await ann.createsProject(organization);
    return { organization, project, settings, build: await ann.uploads(project, FILE, MAC) };
  };
  const download = async ({ project, build }: Tenant): Promise<{ status: number; bytes: Buffer }> => {
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const answer = await fetch(app.url + new URL((body as { url: string }).url).pathname);
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const expectWhole = async (from: Tenant): Promise<void> => {
    const { status, bytes } = await download(from);
    expect([status, bytes.equals(FILE.bytes)]).toEqual([200, true]);
  };
  const diagnose = async ({ organization }: Tenant): Promise<boolean> =>
    ((await ann.post(`/organizations/${organization.id}/byosa/diagnose`).expect(200)).body as { ok: boolean }).ok;
  const lastTroubleOfDeletions = async (): Promise<string[]> =>
    (
      await app.sql<{ trouble: string }>(
        `SELECT last_error AS trouble FROM graphile_worker.jobs WHERE task_identifier = 'storage.delete-blob' AND attempts > 0`,
      )
    ).map(({ trouble }) => trouble);
  const until = async (what: () => Promise<boolean>): Promise<void> => {
    while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  /** All that has this service connect to a customer's store, once that leads astray. */
  const expectNothingWorks = async (existing: Tenant, leadAstray: () => void): Promise<void> => {
    const [fresh, settings] = [await business(), await settingsAtTheName()];
    leadAstray();
    const { body } = await putByosa(ann, fresh, settings).expect(400);
    expect(body).toMatchObject({ error: 'invalid_input', details: { reason: 'checks_failed' } });
    await putByosa(ann, existing.organization, existing.settings).expect(400);
    expect(await diagnose(existing)).toBe(false);
    const refused = await ann.upload(existing.project, FILE, MAC).expect(503);
    expect(refused.body).toMatchObject({ error: 'storage_backend_unavailable' });
    expect((await download(existing)).status).toBe(503);
    await ann.delete(`/builds/${existing.build.id}?${scope(existing.project)}`).expect(204);
    await until(async () => (await lastTroubleOfDeletions()).length > 0);
  };

  // Reliability I1. red when: what the connection's lookup finds is not checked
  it('is never reached inside by a name that was public, and is private when it is connected to', async () => {
    const existing = await tenant();
    await expectWhole(existing);
    expect(await diagnose(existing)).toBe(true);
    await expectNothingWorks(existing, () => rebinding.resolvesTo(PRIVATE));
    expect(rebinding.hits).toBe(0);
  });

  // red when: a name that leads inside is refused in other words than one that nobody has
  it('is no way to ask which names there are inside', async () => {
    const organization = await business();
    const settings = await settingsAtTheName();
    const at = async (host: string): Promise<object[]> => {
      const endpoint = Object.assign(new URL(rebinding.endpoint), { hostname: host }).href;
      const named = { [provider]: { ...settings[provider], endpoint } };
      const { body } = await putByosa(ann, organization, named).expect(400);
      const { message, details } = body as { message: string; details: { checks: { duration_ms: number }[] } };
      return [{ message }, ...details.checks.map((check) => ({ ...check, duration_ms: null }))];
    };
    const nowhere = await at('nobody.invalid');
    expect(await at('localhost')).toEqual(nowhere);
    expect(nowhere[1]).toMatchObject({ name: 'resolve', status: 'failed' });
    // An address needs no name server: what is wrong with it may be said.
    expect((await at(PRIVATE))[2]).toMatchObject({ name: 'public_address', status: 'failed' });

    // A name of theirs may be an alias of one inside, and be another for each lookup.
    rebinding.resolvesTo(NOWHERE);
    const lost = await at(rebinding.name);
    rebinding.resolvesTo(PRIVATE);
    expect(await at(rebinding.name)).toEqual(lost);
    expect(rebinding.hits).toBe(0);
  });

  // red when: only the first connection of a store is checked
  it('is never reached inside by a name that changes with every lookup', async () => {
    const existing = await tenant();
    for (let round = 0; round < 10; round++) {
      rebinding.resolvesTo(...(round % 2 ? [PUBLIC, PRIVATE] : [PUBLIC, PUBLIC, PRIVATE]));
      await diagnose(existing);
      const { status } = await ann.upload(existing.project, FILE, MAC);
      expect([201, 503]).toContain(status);
      expect([200, 503]).toContain((await download(existing)).status);
    }
    expect(rebinding.hits).toBe(0);
  });

  // red when: a client of the store's follows
  it.each([
    ['inside', () => rebinding.insideUrl],
    ['elsewhere', () => `${rebinding.endpoint}/followed`],
  ])('is not followed where it redirects: %s', async (_, target) => {
    const existing = await tenant();
    const before = store.proxy.seen.length;
    await app.sql(`SELECT FROM graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))`);
    await expectNothingWorks(existing, () => (store.proxy.redirectsTo = target()));
    const followed = store.proxy.seen.slice(before).filter(({ path }) => path.startsWith('/followed'));
    expect([followed, rebinding.hits]).toEqual([[], 0]);
  });

  describe('I3: its credentials', () => {
    const sealedOf = async ({ organization: { id } }: Tenant): Promise<Buffer> =>
      (
        await app.sql<{ sealed: Buffer }>(
          `SELECT sealed_credentials AS sealed FROM storage_account WHERE organization_id = $1`,
          [id],
        )
      )[0]!.sealed;
    const seal = ({ organization: { id } }: Tenant, sealed: Buffer) =>
      app.sql(`UPDATE storage_account SET sealed_credentials = $2 WHERE organization_id = $1`, [id, sealed]);
    /** What was sent to the places of these tenants; deletions of other tenants' artifacts go on meanwhile. */
    const sentTo = (tenants: readonly Tenant[]): number => {
      const places = tenants.map(({ settings }) => String(settings[provider]!.bucket ?? settings[provider]!.container));
      return store.proxy.seen.filter(({ path }) => places.some((place) => path.includes(place))).length;
    };
    /** Nothing is sent to the store: not with these credentials, not with any. */
    const expectUnusable = async (owner: Tenant, among = [owner]): Promise<void> => {
      const before = sentTo(among);
      const { headers, body } = await ann.post(`/organizations/${owner.organization.id}/byosa/diagnose`).expect(503);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(body).toMatchObject({ error: 'storage_backend_unavailable' });
      expect(sentTo(among)).toBe(before);
    };
    const expectUnusableForArtifacts = async (owner: Tenant, among = [owner]): Promise<void> => {
      const before = sentTo(among);
      await ann.upload(owner.project, FILE, MAC).expect(503, /storage_backend_unavailable/);
      expect((await download(owner)).status).toBe(503);
      expect(sentTo(among)).toBe(before);
    };

    // red when: the context of the seal is not the row's
    it("open in their own row only: never with another organization's", async () => {
      const [a, b] = [await tenant(), await tenant()];
      const [ofA, ofB] = [await sealedOf(a), await sealedOf(b)];
      await seal(a, ofB);
      await seal(b, ofA);
      for (const owner of [a, b]) {
        await expectUnusable(owner, [a, b]);
        await expectUnusableForArtifacts(owner, [a, b]);
      }
      await seal(a, ofA);
      await seal(b, ofB);
      for (const owner of [a, b]) await expectWhole(owner);
    });

    // red when: a changed seal is a 500; when the tag is not checked
    it('do not open when any byte of them is changed', async () => {
      const owner = await tenant();
      const sealed = await sealedOf(owner);
      for (let at = 0; at < sealed.length; at++) {
        const changed = Buffer.from(sealed);
        changed[at]! ^= 1 << randomInt(8);
        await seal(owner, changed);
        await expectUnusable(owner);
      }
      await expectUnusableForArtifacts(owner);
      await seal(owner, sealed);
      await expectWhole(owner);
    });

    // red when: credentials are kept as they are
    it('stand in clear in no table', async () => {
      const { settings } = await tenant();
      const fields = settings[provider]!;
      const secrets = ['access_key_id', 'secret_access_key', 'account_key'].flatMap((field) => {
        const secret = fields[field];
        if (typeof secret !== 'string') return [];
        return (['utf8', 'hex', 'base64'] as const).map((as) => Buffer.from(secret).toString(as).replace(/=+$/, ''));
      });
      expect(secrets.length).toBeGreaterThan(0);
      const tables = await app.sql<{ name: string }>(
        `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
         WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
      );
      expect(tables.map(({ name: table }) => table)).toContain('public.storage_account');
      for (const { name: table } of tables) {
        const rows = await app.sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
        expect([table, rows.filter(({ row }) => secrets.some((secret) => row.includes(secret))).length]).toEqual([
          table,
          0,
        ]);
      }
    });
  });
});
