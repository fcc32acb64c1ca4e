import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type ProjectTokenIdentity } from '#kernel/context/identity';
import { type RequestContext, systemContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { newId } from '#kernel/ids';
import { Clock } from '#kernel/context/clock';
import { DevelopersService } from '#modules/developers';
import { ProjectAccessTokensService } from '#modules/tokens';
import { HttpConfig, MailConfig, RuntimeConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { ensureNextApk, findDemoBuild, makeDemoBuilds } from './demo-builds';
import { findDemoChannel, makeDemoChannel } from './demo-channel';
import { demoNotice } from './demo-notice';
import { type DemoRecord, DemoRecordFile } from './demo-record';
import { DEMO_EMAIL, makeDemoTenant } from './demo-tenant';

/** @throws StartupError in production: credentials that are printed have no place there. */
export function refuseDemoInProduction(config: Config): void {
  if (config.get(RuntimeConfig).environment !== 'production') return;
  throw new StartupError('There is no demo in production. Leave out --demo: npm run build && npm start');
}

/**
 * On the first start on a database: makes a demo organization with a project, a token, a build each for iOS and Android and a
 * channel that holds them, with a tester, through the services that requests use. Killed at any point, the next start goes on where
 * it stopped. What was made is the developer's own: what they change or delete stays so.
 * @returns what to print: where everything is, with the credentials that are still good.
 */
export async function seedDemo(app: INestApplicationContext): Promise<string> {
  const { dataDirectory } = app.get(RuntimeConfig);
  const ctx = systemContext('demo', app.get(Clock), newId());
  const file = new DemoRecordFile(join(dataDirectory, 'demo.json'));
  const nextApk = join(dataDirectory, 'demo', 'Agate-Demo.apk');
  const demo = await findOrMake(app, ctx, file);
  if (demo.ci && !demo.record.complete) {
    const ci = { ...ctx, identity: demo.ci };
    await makeDemoBuilds(app, ci, demo.record, nextApk);
    await makeDemoChannel(app, ci, demo.record);
    await file.write({ ...demo.record, complete: true });
  }
  await ensureNextApk(nextApk, ctx.clock.now());
  const urlOf = async (platform: Platform): Promise<string | null> =>
    demo.record && ((await findDemoBuild(app, ctx, demo.record, platform))?.installUrl ?? null);
  const channel = demo.record && (await findDemoChannel(app, ctx, demo.record));
  return demoNotice({
    baseUrl: app.get(HttpConfig).baseUrl,
    mailDirectory: app.get(MailConfig).url ? null : join(dataDirectory, 'mail'),
    email: demo.record?.email ?? DEMO_EMAIL,
    password: demo.isPasswordGood ? demo.record.password : null,
    token: demo.ci ? demo.record.token : null,
    install: { ios: await urlOf('ios'), android: await urlOf('android'), channel: channel?.installUrl ?? null },
    nextApk,
  });
}

/** What is kept of the demo, and what of it still works. */
type Demo =
  | { readonly record: DemoRecord; readonly ci: ProjectTokenIdentity | null; readonly isPasswordGood: boolean }
  | { readonly record: null; readonly ci: null; readonly isPasswordGood: false };

/** A record of which nothing works is another database's, or of a start that died before its commit: a new one is made. */
async function findOrMake(app: INestApplicationContext, ctx: RequestContext, file: DemoRecordFile): Promise<Demo> {
  const found = await examine(app, ctx, await file.read());
  if (found.ci || found.isPasswordGood) return found;
  const made = await makeDemoTenant(app, ctx, file);
  return made ? examine(app, ctx, made) : found;
}

async function examine(app: INestApplicationContext, ctx: RequestContext, record: DemoRecord | null): Promise<Demo> {
  if (!record) return { record, ci: null, isPasswordGood: false };
  const developer = await app.get(DevelopersService).findByCredentials(ctx, record.email, record.password);
  const ci = await app.get(ProjectAccessTokensService).resolve(ctx, record.token);
  return { record, ci, isPasswordGood: developer !== null };
}
