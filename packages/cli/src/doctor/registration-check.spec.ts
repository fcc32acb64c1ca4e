import { type Client } from '@agate/client';
import { registrationCheck } from './registration-check';

const SCOPE = { organization_id: 'o', project_id: 'p' };
const build = (registration: object | null) => ({
  app: { bundle_id: 'com.example.demo' },
  signing: { certificate_sha256: 'ab12', registration },
});
const checkOf = (...items: readonly object[]) =>
  registrationCheck({ request: () => Promise.resolve({ items }) } as unknown as Client, SCOPE);

describe('registrationCheck', () => {
  it('is ok for a registered package', async () => {
    expect(await checkOf(build({ state: 'registered' }))).toMatchObject({ state: 'ok', remedy: null });
  });

  it.each([
    ['not_registered', 'com.example.demo is not registered to a verified developer'],
    ['other_certificate', 'com.example.demo is registered with another certificate'],
  ])('warns when the state is %s, and names what to register', async (state, message) => {
    const check = await checkOf(build({ state }));
    expect(check).toMatchObject({ state: 'warning' });
    expect(check?.message).toContain(message);
    expect(check?.remedy).toContain('SHA-256 ab12');
  });

  it('says nothing without a build, without an answer, and about new states', async () => {
    expect(await checkOf()).toBeNull();
    expect(await checkOf({ ...build(null), signing: null })).toBeNull();
    for (const registration of [null, { state: 'unknown' }, { state: 'toString' }])
      expect(await checkOf(build(registration))).toBeNull();
  });
});
