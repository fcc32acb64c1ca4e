import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { Clock } from '#kernel/context/clock';
import { type DeveloperIdentity, type ProjectTokenIdentity } from '#kernel/context/identity';
import { type RequestContext, systemContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { HttpConfig, MailConfig, RuntimeConfig } from '#infra/config/config';
import { openTurn } from '#infra/crypto/password-hasher';
import { Transactions } from '#infra/database/transactions';
import { OperatorBillingService } from '#modules/billing';
import { ChannelsService, type ChannelWithUrl } from '#modules/channels';
import { DevelopersService } from '#modules/developers';
import { OrganizationsService } from '#modules/organizations';
import { ProjectsService } from '#modules/projects';
import { ReleasesService } from '#modules/releases';
import { SubscriptionsService, TestersService } from '#modules/testers';
import { ProjectAccessTokensService } from '#modules/tokens';
import { ensureNextApk, findDemoBuild, makeDemoBuilds } from './demo-builds';
import { daysAgo, DEMO_ADDRESSES, DemoHistory } from './demo-history';
import { demoNotice } from './demo-notice';
import { type DemoRecord, DemoRecordFile } from './demo-record';

/**
 * Makes, on the first start with a database, a demo organization: a project, a token, one build for iOS and one for Android, a
 * channel with both, and a tester; then projects with a history of two weeks. Uses the services that requests use. After a crash the next
 * start continues. Later starts change nothing, so the developer's changes and deletions stay.
 * @returns the notice for the terminal, with the credentials that still work.
 */
export async function seedDemo(app: INestApplicationContext): Promise<string> {
  const { dataDirectory } = app.get(RuntimeConfig);
  const ctx = { ...systemContext('demo', app.get(Clock), newId()), sourceIp: DEMO_ADDRESSES.developer };
  const file = new DemoRecordFile(join(dataDirectory, 'demo.json'));
  const nextApk = join(dataDirectory, 'demo', 'Agate-Demo.apk');
  const demo = await findOrMake(app, ctx, file);
  if (demo.ci && !demo.record.complete) {
    const ci = { ...ctx, identity: demo.ci, sourceIp: DEMO_ADDRESSES.ci };
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

/** The demo's record, and those of its credentials that still work. */
type Demo =
  | {
      readonly record: DemoRecord;
      readonly ci: ProjectTokenIdentity | null;
      /** The demo's developer, null when the password of the record no longer works. */
      readonly identity: DeveloperIdentity | null;
    }
  | { readonly record: null; readonly ci: null; readonly identity: null };

/**
 * Creates a new demo when no credential of the record works: the record belongs to another database, or to a start that crashed before its
 * commit.
 */
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

/** The domain is reserved (RFC 2606), so no mail reaches a person. */
const DEMO_EMAIL = 'demo@agate.example';

/** 120 random bits. */
const newPassword = (): string => randomBytes(15).toString('base64url');

/**
 * Makes the demo's developer, organization (on the business plan, for channels), project and token in one transaction. Null when
 * the database has the developer already. The credentials are written to the file before the commit, so that a crash cannot
 * leave an account with an unknown password.
 */
async function makeDemoTenant(
  app: INestApplicationContext,
  ctx: RequestContext,
  file: DemoRecordFile,
): Promise<DemoRecord | null> {
  try {
    return await app.get(Transactions).run(ctx, async (tx) => {
      const credentials = { email: DEMO_EMAIL, password: newPassword() };
      const { id, email } = await app.get(DevelopersService).createVerified(tx, { ...credentials, name: 'Anna Berg' });
      const own: RequestContext = { ...tx, identity: { kind: 'jwt', developerId: id, email, emailVerified: true } };
      const organization = await app.get(OrganizationsService).create(own, 'Acme');
      await app.get(OperatorBillingService).setPlan(own, organization.id, 'business');
      const project = await app.get(ProjectsService).create(own, organization.id, { name: 'Agate Demo' });
      const scope = { organizationId: organization.id, projectId: project.id };
      const draft = { name: 'Demo CI', role: 'MANAGE_RELEASES', expiresAt: null } as const;
      const { token } = await app.get(ProjectAccessTokensService).create(own, scope, draft);
      const record = { ...credentials, ...scope, token, complete: false };
      await file.write(record);
      return record;
    });
  } catch (error) {
    if (error instanceof AppError && error.errorCase === 'already_exists') return null;
    throw error;
  }
}

const NAME = 'Beta';
/** The address of the tester. The domain is reserved (RFC 2606), so no mail reaches a person. */
const TESTER = { email: 'tester@agate.example', name: 'Demo Tester' };

/** The demo's channel; null when there is none. */
async function findDemoChannel(
  app: INestApplicationContext,
  ctx: RequestContext,
  scope: ProjectScope,
): Promise<ChannelWithUrl | null> {
  const { items } = await app.get(ChannelsService).list(ctx, scopeOf(scope), { name: NAME }, { limit: 1 });
  return items[0] ?? null;
}

/** Creates what does not exist yet: a channel, a subscribed tester, and a release of each demo build. */
async function makeDemoChannel(app: INestApplicationContext, ctx: RequestContext, demo: ProjectScope): Promise<void> {
  const scope = scopeOf(demo);
  const { id: channelId } =
    (await findDemoChannel(app, ctx, scope)) ?? (await app.get(ChannelsService).create(ctx, scope, NAME));
  // Runs before the releases, so that the demo has a release mail to show.
  await app.get(SubscriptionsService).put(ctx, scope, await ensureTester(app, ctx, scope), channelId);
  const releases = app.get(ReleasesService);
  for (const platform of ['ios', 'android'] as const) {
    const build = await findDemoBuild(app, ctx, scope, platform);
    const current = await releases.findCurrent(ctx, { ...scope, channelId }, platform);
    if (build && !current) await releases.promote(ctx, { ...scope, channelId }, { buildId: build.id });
  }
}

async function ensureTester(app: INestApplicationContext, ctx: RequestContext, scope: ProjectScope): Promise<string> {
  const testers = app.get(TestersService);
  const { items } = await testers.list(ctx, scope, { email: TESTER.email }, { limit: 1 });
  return (items[0] ?? (await testers.create(ctx, scope, TESTER))).id;
}
