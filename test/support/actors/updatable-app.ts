import { ipa } from '../artifacts/valid-artifacts';
import { scope } from './actors';
import { type Tenant } from './tenant';

type AppPlatform = 'ios' | 'macos' | 'windows' | 'linux';

/** The parameters of the routes of update keys. */
export interface UpdatableApp {
  readonly update_key: string;
  readonly build_id: string;
  readonly version: string;
  readonly file_name: string;
}

/** The update key of a tenant's project and platform, with a newest build that is signed for its updater. */
export async function updatableApp(
  { admin, project }: Tenant,
  platform: AppPlatform,
  fileName = platform === 'ios' ? 'Demo.ipa' : 'Demo.zip',
): Promise<UpdatableApp> {
  const path = `/update-keys?${scope(project)}`;
  const { items } = (await admin.get(path).expect(200)).body as { items: UpdateKeyJson[] };
  const found = items.find((each) => each.platform === platform && each.channel_id === null);
  const { key } = found ?? ((await admin.post(path, { platform }).expect(201)).body as UpdateKeyJson);
  const bytes = platform === 'ios' ? ipa({ info: { CFBundleVersion: '9' } }) : Buffer.from(`an app for ${platform}`);
  const build = await admin.uploads(
    project,
    { bytes, fileName },
    platform === 'ios' ? {} : { platform, version: '2.0' },
  );
  await admin
    .request('put', `/builds/${build.id}/update-signature?${scope(project)}`)
    .send({ signature: 'c2lnbmF0dXJl' })
    .expect(200);
  return { update_key: key, build_id: build.id, version: build.version, file_name: fileName };
}

interface UpdateKeyJson {
  readonly key: string;
  readonly platform: string;
  readonly channel_id: string | null;
}
