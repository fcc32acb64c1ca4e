import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { BuildsService, type BuildWithUrl } from '#modules/builds';
import { UploadReceiver } from '#modules/uploads';
import { demoApk, demoSigner } from './artifacts/demo-apk';
import { type DemoBuild } from './artifacts/demo-build';
import { demoIpa } from './artifacts/demo-ipa';

const NAME = 'Agate Demo';
const IOS = { name: NAME, bundleId: 'com.example.agate-demo', version: '1.0.0', buildNumber: 1 };
const ANDROID = { name: NAME, bundleId: 'com.example.agate_demo', version: '1.0.0', buildNumber: 1 };
const NEXT_ANDROID = { ...ANDROID, version: '1.1.0', buildNumber: 2 };

const IOS_NOTES = `A first build to look around with.

• Name, version, icon, signing: all read from the .ipa.
• Its profile is made up, so a phone refuses it in the end. Your own builds install.`;
const ANDROID_NOTES = `A first build to look around with.

• A real package, signed: it installs, and shows an empty screen.
• Upload 1.1.0 with the command in the terminal: it gets a link of its own.`;

/** The newest build of a platform; null when there is none. */
export async function findDemoBuild(
  app: INestApplicationContext,
  ctx: RequestContext,
  scope: ProjectScope,
  platform: Platform,
): Promise<BuildWithUrl | null> {
  const { items } = await app.get(BuildsService).list(ctx, scopeOf(scope), { platform }, { limit: 1 });
  return items[0] ?? null;
}

/** Uploads what is not there yet, one build for iOS and one for Android, and writes the next Android build to a file. */
export async function makeDemoBuilds(
  app: INestApplicationContext,
  ctx: RequestContext,
  scope: ProjectScope,
  nextApk: string,
): Promise<void> {
  const receiver = app.get(UploadReceiver);
  const builtAt = ctx.clock.now();
  const signer = demoSigner(builtAt);
  const upload = async (fileName: string, bytes: Buffer, notes: string): Promise<void> => {
    await receiver.createBuild(ctx, scopeOf(scope), { fileName, bytes }, { notes, branch: 'main' });
  };
  if (!(await findDemoBuild(app, ctx, scope, 'ios')))
    await upload('Agate-Demo.ipa', await demoIpa({ ...IOS, builtAt }), IOS_NOTES);
  if (await findDemoBuild(app, ctx, scope, 'android')) return;
  // The file first: whoever uploaded the one has signed the other, also when killed right after.
  await writeNextApk(nextApk, { ...NEXT_ANDROID, builtAt }, signer);
  await upload('Agate-Demo.apk', await demoApk({ ...ANDROID, builtAt }, signer), ANDROID_NOTES);
}

/** For the upload to try: somebody who has deleted the file gets another, signed by somebody else. */
export async function ensureNextApk(path: string, builtAt: Date): Promise<void> {
  if (!existsSync(path)) await writeNextApk(path, { ...NEXT_ANDROID, builtAt }, demoSigner(builtAt));
}

async function writeNextApk(path: string, build: DemoBuild, signer: ReturnType<typeof demoSigner>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await demoApk(build, signer));
}
