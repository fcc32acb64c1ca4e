import { join } from 'node:path';
import supertest from 'supertest';
import { Bearer, type BuildJson, Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { Mailbox } from '../../support/app/mailbox';
import { OwnPostgres } from '../../support/app/own-postgres';
import { StandbyPostgres } from '../../support/app/standby-postgres';
import { apk } from '../../support/artifacts/valid-artifacts';
import { ClientLoad } from '../../support/load/client-load';
import { ServerProcess } from '../../support/processes/server-process';
import { FailoverAddress } from '../../support/servers/proxies/failover-address';
import { until } from '../../support/until';

const FILE = { bytes: apk(), fileName: 'Demo.apk' };
const ENVIRONMENT = { QUOTA_TOKENS_PER_PROJECT: '100000', MAX_OPEN_RESERVATIONS: '100000' };
/** Transactions that the standby does not receive, so that its next id is below that of the change under test. */
const LOSE_TRANSACTIONS = 'DO $$ BEGIN FOR n IN 1..500 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$';
/** Uses up ids of transactions until the next one is `id`. */
const reachTransaction = (id: string): string => `DO $$ BEGIN
  WHILE pg_snapshot_xmax(pg_current_snapshot())::text::bigint < ${Number(id)} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;
END $$`;

jest.setTimeout(300_000);

/** A primary with a standby, and two processes of the service that know only the address of the primary. */
describe('two processes whose PostgreSQL fails over', () => {
  let primary: OwnPostgres;
  let standby: StandbyPostgres;
  let address: FailoverAddress;
  let servers: ServerProcess[] = [];
  let ann: Developer;
  let ci: Bearer;
  let project: ProjectRef;
  let build: BuildJson;
  let load: ClientLoad | undefined;

  beforeEach(async () => {
    primary = await OwnPostgres.start();
    const first = await ServerProcess.start(primary, ENVIRONMENT);
    ann = await Developer.signUp(first.url, new Mailbox(join(primary.dataDirectory, 'mail')));
    project = await ann.createsProject(await ann.createsOrganization());
    ci = new Bearer(first.url, await ann.createsToken(project, 'MANAGE_PROJECT'));
    build = await ci.uploads(project, FILE);
    await first.stop();
    await primary.sql('ALTER SYSTEM SET autovacuum = off');
    standby = await StandbyPostgres.of(primary);
    address = await FailoverAddress.startBefore(primary.database.url);
    servers = [];
  });
  afterEach(async () => {
    load?.abandon();
    load = undefined;
    await Promise.all(servers.map((server) => server.kill()));
    await address.stop();
    await standby.remove();
    await primary.remove();
  });

  const starts = async (environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
    const [url, ownerUrl] = [primary.database.url, primary.database.ownerUrl].map((each) => address.urlOf(each));
    const place = { dataDirectory: primary.dataDirectory, database: { url: url!, ownerUrl: ownerUrl! } };
    const server = await ServerProcess.start(place, { ...ENVIRONMENT, ...environment });
    servers.push(server);
    return server;
  };
  const failsOver = async (): Promise<void> => {
    await primary.stop('immediate');
    await standby.promote();
    address.moveTo(standby.ownerUrl);
  };

  it('lose no answered change when the standby is synchronous', async () => {
    await primary.sql(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await primary.sql('SELECT pg_reload_conf()');
    for (const server of [await starts(), await starts()]) {
      load ??= new ClientLoad({ token: ann.token, ciToken: ci.token, project, build, file: FILE });
      load.at(server.url);
    }
    await load!.during('before', 100);
    load!.phase = 'failover';
    await failsOver();
    await load!.during('after', 200);
    await load!.end();

    const { done, seen } = load!;
    const named = async (table: string, column: string): Promise<unknown[]> =>
      (await standby.sql<{ name: string }>(`SELECT ${column} AS name FROM ${table}`)).map(({ name }) => name);
    expect(done.tokens.length).toBeGreaterThan(0);
    expect(done.builds.length).toBeGreaterThan(0);
    expect(await named('project_access_token', 'name')).toEqual(expect.arrayContaining(done.tokens));
    expect(await named('build', 'notes')).toEqual(expect.arrayContaining(done.builds));
    const others = seen.filter(
      ({ status, error }) => status >= 400 && status !== 503 && error !== 'idempotency_in_flight',
    );
    expect(others).toEqual([]);
  });

  // red when: the version of a kept build or page does not name the server: the promoted one reuses the transaction's id and the row's place
  it('never show a change that the failover lost, although another change has its transaction id and place', async () => {
    const processes = [await starts({ ROLE: 'api' }), await starts({ ROLE: 'api' })];
    await standby.disconnect();
    await primary.sql(LOSE_TRANSACTIONS);
    const update = (version: string): [string, string[]] => [
      'UPDATE build SET version = $2 WHERE id = $1 RETURNING xmin::text, ctid::text',
      [build.id, version],
    ];
    /** The version in the list and in the page of each process. */
    const shown = async (): Promise<unknown[]> =>
      Promise.all(
        processes.flatMap(({ url }) => [
          new Bearer(url, ann.token)
            .get(`/builds?${scope(project)}`)
            .then(({ body, status }) => (body as { items?: BuildJson[] }).items?.[0]?.version ?? status),
          supertest(url)
            .get(new URL(build.install_url).pathname)
            .then(({ text, status }) => /\b9\.9\.\d\b/.exec(text)?.[0] ?? status),
        ]),
      );
    const [lost] = await primary.sql<{ xmin: string; ctid: string }>(...update('9.9.1'));
    // What is requested repeatedly is kept.
    for (let n = 0; n < 3; n++) expect(await shown()).toEqual(['9.9.1', '9.9.1', '9.9.1', '9.9.1']);

    // The load reads other data: what it reads of the new primary takes the place of what was kept.
    const statuses = new Set<number>();
    let isOver = false;
    const reads = processes.map(async ({ url }) => {
      while (!isOver) statuses.add((await new Bearer(url, ann.token).get('/organizations')).status);
    });
    await until(() => statuses.has(200));
    await failsOver();
    for (const { url } of processes)
      await until(async () => (await supertest(url).get('/api/v1/ready')).status === 200);
    isOver = true;
    await Promise.all(reads);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);

    await standby.sql(reachTransaction(lost!.xmin));
    const [other] = await standby.sql(...update('9.9.2'));
    expect(other).toEqual(lost);
    for (let n = 0; n < 3; n++) expect(await shown()).toEqual(['9.9.2', '9.9.2', '9.9.2', '9.9.2']);
  });
});
