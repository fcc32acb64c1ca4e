// One of every resource that a GET route can name, in the project of the demo, made by requests. The fill multiplies some of them.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDemo } from '../demo-account.mjs';

/** One pixel. */
const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';
const UDID = '00008101-000A1B2C3D4E001E';
/** Apps for updaters of desktop apps. */
const DESKTOP = { macos: 'Rocket.zip', windows: 'Rocket.zip', linux: 'Rocket-x86_64.AppImage' };

const tokenOf = (url) => new URL(url).pathname.split('/').at(-1);

/** @returns the parameters of all GET routes, by name, and the account. */
export async function seed({ folder, port }) {
  const url = `http://127.0.0.1:${port}`;
  const { account, call, organization, rocket: project } = await readDemo({ folder, url });
  const scope = `organization_id=${organization}&project_id=${project}`;
  const list = async (path) => (await call('GET', `${path}${path.includes('?') ? '&' : '?'}${scope}`)).items;
  const send = async (path, type, body) => {
    const headers = { Authorization: `Bearer ${call.token}`, ...(type && { 'Content-Type': type }) };
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const sendFile = (path, name, bytes, fields) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set('file', new Blob([bytes]), name);
    return send(`${path}?${scope}`, null, form);
  };
  const signature = { signature: randomBytes(64).toString('base64') };
  for (const [platform, name] of Object.entries(DESKTOP)) {
    const { id } = await sendFile('/builds', name, randomBytes(10_000), { platform, version: '2.2.0' });
    await call('PUT', `/builds/${id}/update-signature?${scope}`, signature);
    // The feeds of Linux have one file per architecture.
    if (platform === 'linux') {
      const update = { kind: 'update', arch: 'arm64' };
      await sendFile(`/builds/${id}/attachments`, 'Rocket-arm64.AppImage', randomBytes(10_000), update);
    }
  }
  const [build] = await list('/builds?platform=ios&version=2.1.0');
  const [other] = await list('/builds?platform=ios&version=2.0.9');
  await call('PUT', `/builds/${build.id}/update-signature?${scope}`, signature);
  const attachment = await sendFile(`/builds/${build.id}/attachments`, 'symbols.txt', randomBytes(1_000), {
    kind: 'other',
  });
  const upload = await call('POST', `/builds/uploads?${scope}`, { file_name: 'Next.ipa', size_bytes: 20_000_000 });
  const channel = (await list('/channels')).find(({ name }) => name === 'Beta');
  const keys = {};
  for (const platform of ['ios', 'macos', 'windows', 'linux'])
    keys[platform] = await call('POST', `/update-keys?${scope}`, { platform });
  await send(`/devices/import?${scope}`, 'text/csv', `udid\r\n${UDID}\r\n`);
  await call('POST', `/pats?organization_id=${organization}`, { name: 'bench', scopes: ['builds:read'] });
  await call('POST', `/organizations/${organization}/invitations`, { email: 'guest@example.com', roles: ['MEMBER'] });
  const link = await call('POST', `/links?${scope}`, { name: 'Review', build_id: build.id });
  const webhook = await call('POST', `/webhooks?${scope}`, {
    name: 'bench',
    url: 'https://hooks.invalid/agate',
    types: ['build.uploaded'],
  });
  const { logo_url: logo } = await call('PUT', `/organizations/${organization}/branding`, { logo: LOGO });
  const { icon_url: icon } = (await list('/builds')).find(({ icon_url: url }) => url) ?? {};
  const page = await (
    await fetch(`${url}${new URL(build.install_url).pathname}`, { headers: { Accept: 'text/html' } })
  ).text();
  const [release] = await list(`/releases?channel_id=${channel.id}`);
  const [tester] = await list('/testers?q=tess');
  return {
    account,
    organization,
    project,
    channel: channel.id,
    parameters: {
      organization_id: organization,
      project_id: project,
      channel_id: channel.id,
      build_id: build.id,
      with: other.id,
      against: other.id,
      attachment_id: attachment.id,
      upload_id: upload.id,
      release_id: release.id,
      tester_id: tester.id,
      update_key_id: keys.ios.id,
      update_key: keys.ios.key,
      invite_token: tokenOf(build.install_url),
      channel_token: tokenOf(channel.install_url),
      keys: Object.fromEntries(Object.entries(keys).map(([platform, { key }]) => [platform, key])),
      file_name: build.file_name,
      version: build.version,
      icon_key: icon && tokenOf(icon),
      logo_key: tokenOf(logo),
      link_id: link.id,
      webhook_id: webhook.id,
      webhook_delivery_id: await failedDelivery(call, organization, webhook.id),
      asset: /\/assets\/([^"]+)"/.exec(page)[1],
      export_ticket: await exportTicket(call, account),
    },
  };
}

/** The id of a message to a host that does not exist. */
async function failedDelivery(call, organization, webhook) {
  await call('POST', `/webhooks/${webhook}/test?organization_id=${organization}`, { type: 'build.uploaded' });
  for (;;) {
    const { items } = await call('GET', `/webhooks/${webhook}/deliveries?organization_id=${organization}`);
    if (items.length > 0) return items[0].id;
    await sleep(200);
  }
}

/** The ticket of an export of the account's data. */
async function exportTicket(call, { password }) {
  await call('POST', '/developers/me/export', { password });
  for (;;) {
    const { export: latest } = await call('GET', '/developers/me/export');
    if (latest?.url) return tokenOf(latest.url);
    await sleep(200);
  }
}
