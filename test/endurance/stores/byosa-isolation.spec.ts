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
import { TestApp } from '../../support/app/test-app';
import { mockDns, NOWHERE, PRIVATE, PUBLIC, RebindingStore } from '../../support/servers/stores/rebinding-store';
import { until } from '../../support/until';

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

/** Connections to a customer's store must not reach internal addresses, and its credentials must open no other store. */
describe.each([
  // The emulators interpret the part of the host name before a dot as the bucket or the account.
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
  /** An organization that uses its own store, with a build in it. */
  const tenant = async (): Promise<Tenant> => {
    const organization = await business();
    const settings = await settingsAtTheName();
    const { status, body } = await putByosa(ann, organization, settings);
    expect([status, body]).toEqual([200, expect.anything()]);
    await app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organization.id, 'byosa');
    const project = await ann.createsProject(organization);
    return { organization, project, settings, build: await ann.uploads(project, FILE, MAC) };
  };
  const download = async ({ project, build }: Tenant): Promise<{ status: number; bytes: Buffer }> => {
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const response = await fetch(app.url + new URL((body as { url: string }).url).pathname);
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const expectDownload = async (from: Tenant): Promise<void> => {
    const { status, bytes } = await download(from);
    expect([status, bytes.equals(FILE.bytes)]).toEqual([200, true]);
  };
  const diagnose = async ({ organization }: Tenant): Promise<boolean> =>
    ((await ann.post(`/organizations/${organization.id}/byosa/diagnose`).expect(200)).body as { ok: boolean }).ok;
  const errorsOfDeletions = async (): Promise<string[]> =>
    (
      await app.sql<{ message: string }>(
        `SELECT last_error AS message FROM graphile_worker.jobs WHERE task_identifier = 'storage.delete-blob' AND attempts > 0`,
      )
    ).map(({ message }) => message);

  /** Tries every operation that connects to a customer's store after `divert` has changed where the store leads. */
  const expectAllFail = async (existing: Tenant, divert: () => void): Promise<void> => {
    const [fresh, settings] = [await business(), await settingsAtTheName()];
    divert();
    const { body } = await putByosa(ann, fresh, settings).expect(400);
    expect(body).toMatchObject({ error: 'invalid_input', details: { reason: 'checks_failed' } });
    await putByosa(ann, existing.organization, existing.settings).expect(400);
    expect(await diagnose(existing)).toBe(false);
    const rejected = await ann.upload(existing.project, FILE, MAC).expect(503);
    expect(rejected.body).toMatchObject({ error: 'storage_backend_unavailable' });
    expect((await download(existing)).status).toBe(503);
    await ann.delete(`/builds/${existing.build.id}?${scope(existing.project)}&permanently=true`).expect(204);
    await until(async () => (await errorsOfDeletions()).length > 0);
  };

  // red when: the address that the connection's lookup returns is not checked
  it('is not connected to when its name resolves to an internal address after its checks passed', async () => {
    const existing = await tenant();
    await expectDownload(existing);
    expect(await diagnose(existing)).toBe(true);
    await expectAllFail(existing, () => rebinding.resolvesTo(PRIVATE));
    expect(rebinding.hits).toBe(0);
  });

  // red when: the response for a name with an internal address differs from the response for an unknown name
  it('does not reveal which names exist in the internal network', async () => {
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
    // For a literal address no name server is involved, so the response may name the fault.
    expect((await at(PRIVATE))[2]).toMatchObject({ name: 'public_address', status: 'failed' });

    // The customer's name can be an alias of an internal name, and can change with each lookup.
    rebinding.resolvesTo(NOWHERE);
    const unknown = await at(rebinding.name);
    rebinding.resolvesTo(PRIVATE);
    expect(await at(rebinding.name)).toEqual(unknown);
    expect(rebinding.hits).toBe(0);
  });

  // red when: only the first connection to a store is checked
  it('is not connected to at an internal address when its name changes with each lookup', async () => {
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

  // red when: a client of the store follows redirects
  it.each([
    ['an internal address', () => rebinding.insideUrl],
    ['another path', () => `${rebinding.endpoint}/followed`],
  ])('cannot redirect requests to %s', async (_, target) => {
    const existing = await tenant();
    const before = store.proxy.seen.length;
    await app.sql(`SELECT FROM graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))`);
    await expectAllFail(existing, () => (store.proxy.redirectsTo = target()));
    const followed = store.proxy.seen.slice(before).filter(({ path }) => path.startsWith('/followed'));
    expect([followed, rebinding.hits]).toEqual([[], 0]);
  });

  describe('has credentials that', () => {
    const sealedOf = async ({ organization: { id } }: Tenant): Promise<Buffer> =>
      (
        await app.sql<{ sealed: Buffer }>(
          `SELECT sealed_credentials AS sealed FROM storage_account WHERE organization_id = $1`,
          [id],
        )
      )[0]!.sealed;
    const seal = ({ organization: { id } }: Tenant, sealed: Buffer) =>
      app.sql(`UPDATE storage_account SET sealed_credentials = $2 WHERE organization_id = $1`, [id, sealed]);
    /** Counts the requests to the buckets of these tenants only, because deletions for other tenants continue. */
    const sentTo = (tenants: readonly Tenant[]): number => {
      const places = tenants.map(({ settings }) => String(settings[provider]!.bucket ?? settings[provider]!.container));
      return store.proxy.seen.filter(({ path }) => places.some((place) => path.includes(place))).length;
    };
    /** Expects 503 and no request to the store. */
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

    // red when: the seal is not bound to the row
    it("are rejected in another organization's row", async () => {
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
      for (const owner of [a, b]) await expectDownload(owner);
    });

    // red when: a corrupted seal responds 500, or the authentication tag is not checked
    it('are rejected when any byte of the seal is changed', async () => {
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
      await expectDownload(owner);
    });

    // red when: credentials are stored without a seal
    it('are in clear text in no table', async () => {
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
