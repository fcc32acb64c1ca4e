import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { BuildListService, type BuildWithUrl } from '#modules/builds';
import { UploadReceiver } from '#modules/uploads';

const ASSETS = join(__dirname, 'assets');

const IOS = {
  platform: 'ios',
  asset: 'demo.ipa',
  fileName: 'Agate-Demo.ipa',
  notes: `A first build to look around with.

• Name, version, icon and signing are read from the .ipa.
• Its provisioning profile is not real, so a phone rejects it at the end. Your own builds install.`,
} as const;

const ANDROID = {
  platform: 'android',
  asset: 'demo-1.0.apk',
  fileName: 'Agate-Demo.apk',
  notes: `A first build to look around with.

• This is a real, signed package. It installs and shows an empty screen.
• Upload 1.1.0 with the command in the terminal. The new build gets its own link.`,
} as const;

/** The newest build of a platform; null when there is none. */
export const findDemoBuild = (
  app: INestApplicationContext,
  ctx: RequestContext,
  scope: ProjectScope,
  platform: Platform,
): Promise<BuildWithUrl | null> => app.get(BuildListService).findLatest(ctx, scopeOf(scope), { platform });

/** Uploads one build for iOS and one for Android, unless the project has one of that platform. */
export async function makeDemoBuilds(
  app: INestApplicationContext,
  ctx: RequestContext,
  scope: ProjectScope,
): Promise<void> {
  for (const { platform, asset, fileName, notes } of [IOS, ANDROID]) {
    if (await findDemoBuild(app, ctx, scope, platform)) continue;
    const file = { fileName, bytes: await readFile(join(ASSETS, asset)) };
    await app.get(UploadReceiver).createBuild(ctx, scopeOf(scope), file, { notes, branch: 'main' });
  }
}

/** Copies the next Android build to `path`, for the upload that the notice suggests. */
export async function ensureNextApk(path: string): Promise<void> {
  if (existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await copyFile(join(ASSETS, 'demo-1.1.apk'), path);
}
