import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type DeveloperIdentity, type ProjectTokenIdentity } from '#kernel/context/identity';
import { type RequestContext, systemContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Clock } from '#kernel/context/clock';
import { DevelopersService } from '#modules/developers';
import { ProjectAccessTokensService } from '#modules/tokens';
import { HttpConfig, MailConfig, RuntimeConfig } from '#infra/config/config';
import { openTurn } from '#infra/crypto/password-hasher';
import { ensureNextApk, findDemoBuild, makeDemoBuilds } from './demo-builds';
import { findDemoChannel, makeDemoChannel } from './demo-channel';
import { DemoHistory } from './demo-history';
import { demoNotice } from './demo-notice';
import { type DemoRecord, DemoRecordFile } from './demo-record';
import { DEMO_EMAIL, makeDemoTenant } from './demo-tenant';
import { daysAgo } from './past-clock';

/**
 * Makes, on the first start with a database, a demo organization: a project, a token, one build for iOS and one for Android, a
 * channel with both, and a tester; then projects with a history of two weeks. Uses the services that requests use. After a crash the next start continues. Later starts
 * change nothing, so the developer's changes and deletions stay.
 * @returns the notice for the terminal, with the credentials that still work.
 */
export async function seedDemo(app: INestApplicationContext): Promise<string> {
  const { dataDirectory } = app.get(RuntimeConfig);
  const ctx = systemContext('demo', app.get(Clock), newId());
  const file = new DemoRecordFile(join(dataDirectory, 'demo.json'));
  const nextApk = join(dataDirectory, 'demo', 'Agate-Demo.apk');
  const demo = await findOrMake(app, ctx, file);
  if (demo.ci && !demo.record.complete) {
    const ci = { ...ctx, identity: demo.ci };
    await makeDemoBuilds(app, ci, demo.record);
    await makeDemoChannel(app, ci, demo.record);
    if (demo.identity)
      await new DemoHistory(app, { ...ctx, identity: demo.identity }, demo.record.organizationId).make();
    await file.write({ ...demo.record, complete: true });
  }
  await ensureNextApk(nextApk);
  const urlOf = async (platform: Platform): Promise<string | null> =>
    demo.record && ((await findDemoBuild(app, ctx, demo.record, platform))?.installUrl ?? null);
  const channel = demo.record && (await findDemoChannel(app, ctx, demo.record));
  const { baseUrl, servesDashboard } = app.get(HttpConfig);
  return demoNotice({
    baseUrl,
    servesDashboard,
    mailDirectory: app.get(MailConfig).url ? null : join(dataDirectory, 'mail'),
    email: demo.record?.email ?? DEMO_EMAIL,
    password: demo.identity ? demo.record.password : null,
    token: demo.ci ? demo.record.token : null,
    install: { ios: await urlOf('ios'), android: await urlOf('android'), channel: channel?.installUrl ?? null },
    nextApk,
  });
}

/** The demo's record and the credentials of it that still work. */
type Demo =
  | {
      readonly record: DemoRecord;
      readonly ci: ProjectTokenIdentity | null;
      /** The demo's developer, null when the password of the record no longer works. */
      readonly identity: DeveloperIdentity | null;
    }
  | { readonly record: null; readonly ci: null; readonly identity: null };

/** Makes a new demo when no credential of the record works: it is of another database, or of a start that crashed before its commit. */
async function findOrMake(app: INestApplicationContext, ctx: RequestContext, file: DemoRecordFile): Promise<Demo> {
  const found = await examine(app, ctx, await file.read());
  if (found.ci || found.identity) return found;
  const made = await makeDemoTenant(app, daysAgo(ctx, 14), file);
  return made ? examine(app, ctx, made) : found;
}

async function examine(app: INestApplicationContext, ctx: RequestContext, record: DemoRecord | null): Promise<Demo> {
  if (!record) return { record, ci: null, identity: null };
  const developer = await app.get(DevelopersService).findByCredentials(ctx, record, openTurn(ctx));
  const ci = await app.get(ProjectAccessTokensService).resolve(ctx, record.token);
  if (!developer) return { record, ci, identity: null };
  const { id: developerId, email } = developer;
  return { record, ci, identity: { kind: 'jwt', developerId, email, emailVerified: true } };
}
