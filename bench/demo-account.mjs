// The account of a service that was started with `--demo`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The demo's login and ids, once the demo is complete. */
export async function readDemo({ folder, url }) {
  for (let demo = {}; ; await sleep(200)) {
    try {
      demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    } catch {
      // Not written yet.
    }
    if (!demo.complete) continue;
    const account = { email: demo.email, password: demo.password };
    const call = await clientOf(url, account);
    const { items } = await call('GET', `/projects?organization_id=${demo.organizationId}`);
    const rocket = items.find(({ name }) => name === 'Rocket').id;
    return { account, call, organization: demo.organizationId, rocket };
  }
}

/** @returns a function that sends requests with the session of an account, whose access token it has as `token`. */
export async function clientOf(url, account) {
  let token;
  const call = async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text && JSON.parse(text);
  };
  ({ token } = await call('POST', '/login/email', account));
  return Object.assign(call, { token });
}
