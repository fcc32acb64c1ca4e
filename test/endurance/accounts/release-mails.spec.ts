import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';
import { ServerProcess } from '../../support/processes/server-process';

/** Set RELEASE_MAIL_SUBSCRIBERS for another number. Ten thousand take some minutes on two cores. */
const SUBSCRIBERS = Number(process.env['RELEASE_MAIL_SUBSCRIBERS'] ?? 600);
/** The shares of delivered mails at which the worker is killed. At 0 it is still claiming recipients. */
const KILLS_AT = [0, 0.3, 0.6];
const SMTP_CONNECTIONS = 4;

interface Delivery {
  readonly to: string;
  readonly messageId: string;
}

jest.setTimeout(900_000);

/** Starts an SMTP server that sometimes rejects a recipient and sometimes closes the connection. Accepted mails are recorded. */
async function startFaultySmtp(
  deliveries: Delivery[],
): Promise<{ url: string; faults: () => number; stop: () => Promise<void> }> {
  let recipients = 0;
  let faults = 0;
  /** A mail that is not confirmed twice is not sent again, so each recipient meets this fault at most once. */
  const unconfirmed = new Set<string>();
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => {
      if (++recipients % 37 !== 0) return done();
      faults++;
      done(Object.assign(new Error('greylisted'), { responseCode: 450 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { address } = session.envelope.rcptTo[0]!;
        if (recipients % 101 === 0 && !unconfirmed.has(address)) {
          faults++;
          unconfirmed.add(address);
          (server as unknown as { connections: Set<{ id: string; _socket: { destroy(): void } }> }).connections.forEach(
            (connection) => connection.id === session.id && connection._socket.destroy(),
          );
          return;
        }
        const [, messageId = ''] = /^Message-ID: (.*)$/im.exec(Buffer.concat(chunks).toString('latin1')) ?? [];
        deliveries.push({ to: address, messageId });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    faults: () => faults,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe('a release with many subscribers', () => {
  const deliveries: Delivery[] = [];
  let smtp: Awaited<ReturnType<typeof startFaultySmtp>>;
  let app: TestApp;
  let tenant: Tenant;
  let worker: ServerProcess | undefined;

  beforeAll(async () => {
    smtp = await startFaultySmtp(deliveries);
    app = await TestApp.start({ worker: false });
    tenant = await createTenant(app);
    await app.sql('DELETE FROM graphile_worker._private_jobs');
    await app.sql('DELETE FROM subscription');
    // Without a payment an organization sends 200 mails a day.
    await app.sql('UPDATE billing_account SET fee_waived = true');
    const { organizationId, id: projectId } = tenant.project;
    await app.sql(
      `INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, created_at)
       SELECT gen_random_uuid(), $1, $2, 't' || n || '@example.com', 't' || n || '@example.com', '{}', now()
       FROM generate_series(1, $3::int) AS n`,
      [organizationId, projectId, SUBSCRIBERS],
    );
    await app.sql(
      `INSERT INTO subscription (organization_id, project_id, channel_id, tester_id, created_at)
       SELECT organization_id, project_id, $1, id, now() FROM tester WHERE project_id = $2 AND email LIKE 't%@example.com'
       ON CONFLICT DO NOTHING`,
      [tenant.channel.id, projectId],
    );
  });
  afterAll(async () => {
    await worker?.kill();
    await app.stop();
    await smtp.stop();
  });

  const count = async (query: string): Promise<number> =>
    (await app.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${query}`))[0]!.count;
  const startWorker = async (): Promise<void> => {
    worker = await ServerProcess.launch(app, { ROLE: 'worker', MAIL_URL: smtp.url });
  };
  /**
   * Makes every job due, so that the test waits neither for the minute after the promotion nor for retries. A skipped delay takes no attempt:
   * while the service pauses deliveries after a fault, all attempts of a job would end within a second.
   */
  const skipRetryDelays = () =>
    app.sql(
      'UPDATE graphile_worker._private_jobs SET run_at = now(), attempts = 0 WHERE locked_at IS NULL AND run_at > now()',
    );

  it('is promoted before any mail is sent, and mails each subscriber once despite SMTP faults and three kills of the worker', async () => {
    const file = { bytes: apk(), fileName: 'Demo.apk' };
    const build = await tenant.admin.uploads(tenant.project, file);
    const started = performance.now();
    await tenant.admin
      .post(`/releases?${scope(tenant.project)}&channel_id=${tenant.channel.id}`, { build_id: build.id })
      .expect(201);
    const responseMs = Math.round(performance.now() - started);
    // The promotion enqueues one job, independent of the number of subscribers.
    expect(await count('graphile_worker.jobs')).toBe(1);
    expect(await count('release_mail')).toBe(0);

    const begun = performance.now();
    await startWorker();
    for (const share of KILLS_AT) {
      while (share === 0 ? (await count('release_mail')) === 0 : deliveries.length < share * SUBSCRIBERS) {
        await sleep(20);
        await skipRetryDelays();
      }
      await worker!.kill();
      await startWorker();
    }
    for (let waiting = true; waiting; await sleep(100)) {
      await skipRetryDelays();
      waiting = (await count('graphile_worker.jobs')) > 0;
    }
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
    process.stdout.write(
      `${SUBSCRIBERS} subscribers: response in ${responseMs} ms, mailed in ${minutes} min, ${smtp.faults()} faults, ` +
        `${deliveries.length - SUBSCRIBERS} repetitions\n`,
    );

    const messageIds = new Set(deliveries.map(({ messageId }) => messageId));
    const recipients = new Set(deliveries.map(({ to }) => to));
    // red when: a batch does not check who was mailed before, or the next batch is enqueued outside the transaction
    expect([messageIds.size, recipients.size]).toEqual([SUBSCRIBERS, SUBSCRIBERS]);
    // The mail also names the tenant's first release, which was promoted within the same minute for another platform.
    expect(await count('(SELECT DISTINCT tester_id FROM release_mail WHERE queued_at IS NOT NULL) AS mailed')).toBe(
      SUBSCRIBERS,
    );
    expect(await count('release_mail WHERE queued_at IS NULL')).toBe(0);
    expect(smtp.faults()).toBeGreaterThan(0);
    // SMTP cannot prevent a repetition when the worker is killed after the server accepted the mail. It has the same Message-ID.
    expect(deliveries.length - SUBSCRIBERS).toBeLessThanOrEqual(KILLS_AT.length * SMTP_CONNECTIONS);
  });
});
