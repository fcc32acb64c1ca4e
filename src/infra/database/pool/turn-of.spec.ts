import { ANONYMOUS, type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { turnOf } from './turn-of';

const ann = { developerId: 'ann', email: 'ann@example.com', emailVerified: true };
const JWT: Identity = { kind: 'jwt', ...ann };
const PAT: Identity = { kind: 'pat', tokenId: 'p', ...ann, organizationId: 'acme', scopes: [] };
const CI: Identity = {
  kind: 'project-token',
  tokenId: 't',
  tokenName: 'CI',
  organizationId: 'acme',
  projectId: 'app',
  role: 'UPLOAD_BUILD',
};
const LINK: Identity = { kind: 'invite', inviteId: 'i', testerId: null, channelId: null };
const KEY: Identity = { kind: 'update-key', updateKeyId: 'u', digest: Buffer.of(), channelId: null };

describe('turnOf', () => {
  const of = (identity: Identity, more: Partial<RequestContext> = {}): unknown =>
    turnOf({ identity, sourceIp: '192.0.2.1', ...more } as RequestContext);
  const acme = { share: 'tenants', lane: 'organization:acme' };
  const account = 'developer:ann';

  it('gives all credentials of an organization one lane, and limits a developer across organizations', () => {
    expect(of(JWT, { organizationId: 'acme' })).toEqual({ ...acme, account });
    expect(of(PAT)).toEqual({ ...acme, account });
    expect(of(CI)).toEqual(acme);
  });

  // red when: the statements of heavy requests are not told apart
  it('says that a turn is heavy', () => {
    expect(of(CI, { isHeavy: true })).toEqual({ ...acme, isHeavy: true });
  });

  it('gives a developer a lane of their own where no organization is known', () => {
    expect(of(JWT)).toEqual({ share: 'tenants', lane: account, account });
  });

  // red when: visitors of an install page wait behind the requests of its organization
  it.each([
    ['an anonymous client', ANONYMOUS],
    ['the holder of an install link', LINK],
    ['an installed app', KEY],
  ])('gives %s the lane of its network', (_, identity) => {
    expect(of(identity)).toEqual({ share: 'clients', lane: 'client:192.0.2.1' });
    expect(of(identity, { sourceIp: '2001:db8::1' })).toMatchObject({
      share: 'clients',
      lane: 'client:2001:db8:0:0::/64',
    });
  });

  // red when: a client that owns a /48 holds as many connections as it has /64 networks
  it('limits the lanes of an IPv6 /48 together', () => {
    const [one, other] = ['2001:db8:0:1::1', '2001:db8:0:2::1'].map((sourceIp) =>
      turnOf({ identity: ANONYMOUS, sourceIp } as RequestContext),
    );
    expect(one!.lane).not.toBe(other!.lane);
    expect([one!.account, other!.account]).toEqual(Array(2).fill('network:2001:db8:0::/48'));
  });

  it('gives jobs and checks lanes of their own', () => {
    expect(of({ kind: 'system', name: 'health' }, { sourceIp: null })).toEqual({
      share: 'service',
      lane: 'system:health',
    });
  });
});
