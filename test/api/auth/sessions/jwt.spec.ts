import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsonwebtoken from 'jsonwebtoken';
import { AppError } from '#kernel/errors/app-error';
import { Secrets, type SigningKey } from '#infra/crypto/secrets';
import { Developer } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { rawRequest } from '../../../support/load/raw-http';

const encoded = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

type Claims = Record<string, unknown>;

/** See RFC 8725. */
describe('an access JWT', () => {
  let app: TestApp;
  let ann: Developer;
  let key: SigningKey;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await verifiedDeveloper(app);
    key = app.nest.get(Secrets).signingKeys[0]!;
  });
  afterAll(() => app.stop());

  const now = (): number => app.clock.now().getTime() / 1000;
  const good = (): Claims => {
    const iat = now();
    return { sub: ann.id, email: ann.email, iss: 'agate-local', aud: 'agate-api', iat, exp: iat + 600 };
  };
  const header = (): Claims => ({ alg: 'RS256', typ: 'JWT', kid: key.id });
  const rs256 = (head: unknown, payload: unknown, by: KeyObject = key.privateKey, digest = 'RSA-SHA256'): string => {
    const body = `${encoded(head)}.${encoded(payload)}`;
    return `${body}.${createSign(digest).update(body).sign(by, 'base64url')}`;
  };
  const hmac = (head: Claims, secret: string | Buffer): string => {
    const body = `${encoded(head)}.${encoded(good())}`;
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
  };
  /** A token with some changed claims, signed with the real key. */
  const claiming = (claims: Claims): string => rs256(header(), { ...good(), ...claims });
  const without = (claim: string): string =>
    rs256(header(), Object.fromEntries(Object.entries(good()).filter(([name]) => name !== claim)));
  const heading = (more: Claims): string => rs256({ ...header(), ...more }, good());
  const pem = (): string => key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

  const forged: Record<string, () => string> = {
    'alg none': () => `${encoded({ ...header(), alg: 'none' })}.${encoded(good())}.`,
    'alg none in mixed case': () => `${encoded({ ...header(), alg: 'NoNe' })}.${encoded(good())}.`,
    'an empty signature': () => `${encoded(header())}.${encoded(good())}.`,
    'no signature at all': () => `${encoded(header())}.${encoded(good())}`,
    'a truncated signature': () => claiming({}).slice(0, -8),
    'the signature of another token': () =>
      `${claiming({}).split('.').slice(0, 2).join('.')}.${claiming({ sub: 'x' }).split('.')[2]}`,
    'other claims in a token that was accepted': () => {
      const [head, , signature] = ann.token.split('.');
      return [head, encoded({ ...good(), sub: 'x' }), signature].join('.');
    },
    'HS256 with the public key as PEM': () => hmac({ ...header(), alg: 'HS256' }, pem()),
    'HS256 with the public key as DER': () =>
      hmac({ ...header(), alg: 'HS256' }, key.publicKey.export({ type: 'spki', format: 'der' })),
    'HS256 with an empty key': () => hmac({ ...header(), alg: 'HS256' }, ''),
    'RS256 in the header and an HMAC signature': () => hmac(header(), pem()),
    RS384: () => rs256({ ...header(), alg: 'RS384' }, good(), key.privateKey, 'RSA-SHA384'),
    RS512: () => rs256({ ...header(), alg: 'RS512' }, good(), key.privateKey, 'RSA-SHA512'),
    PS256: () => heading({ alg: 'PS256' }),
    'alg as a list': () => heading({ alg: ['RS256'] }),
    'no alg': () => rs256({ typ: 'JWT', kid: key.id }, good()),
    'the signature of an unknown key': () => rs256(header(), good(), stranger.privateKey),
    'an unknown kid': () => heading({ kid: 'unknown' }),
    'no kid': () => rs256({ alg: 'RS256', typ: 'JWT' }, good()),
    'a kid that is a path': () => heading({ kid: '../../../../dev/null' }),
    'a kid that is SQL': () => heading({ kid: `' OR 1=1 --` }),
    'a kid that is __proto__': () => heading({ kid: '__proto__' }),
    'a kid that is a number': () => heading({ kid: 7 }),
    'a jwk of its own': () =>
      rs256(
        { ...header(), jwk: stranger.publicKey.export({ format: 'jwk' }), kid: 'mine' },
        good(),
        stranger.privateKey,
      ),
    'a jku of its own': () => rs256({ ...header(), jku: 'http://127.0.0.1:1/jwks.json' }, good(), stranger.privateKey),
    'an x5c of its own': () => rs256({ ...header(), x5c: ['MIIB'] }, good(), stranger.privateKey),
    'an unknown critical extension': () => heading({ crit: ['exp2'], exp2: 1 }),
    ...Object.fromEntries(
      ['sub', 'email', 'iss', 'aud', 'iat', 'exp'].flatMap((claim) => [
        [`no ${claim}`, () => without(claim)],
        [`${claim} null`, () => claiming({ [claim]: null })],
        [`${claim} of another type`, () => claiming({ [claim]: ['iat', 'exp'].includes(claim) ? String(now()) : 7 })],
        [`${claim} a list`, () => claiming({ [claim]: [good()[claim]] })],
        [`${claim} an object`, () => claiming({ [claim]: {} })],
      ]),
    ),
    'the sub of a missing account': () => claiming({ sub: '00000000-0000-7000-8000-000000000000' }),
    'a sub that is not a uuid': () => claiming({ sub: `' OR 1=1 --` }),
    'sub with U+0000': () => claiming({ sub: '\u0000' }),
    'an empty e-mail': () => claiming({ email: '' }),
    'iss of production': () => claiming({ iss: 'agate' }),
    'aud with an extra': () => claiming({ aud: ['agate-api', 'other'] }),
    'exp past': () => claiming({ iat: now() - 700, exp: now() - 100 }),
    'exp just past': () => claiming({ iat: now() - 601, exp: now() - 1 }),
    'exp before iat': () => claiming({ exp: now() - 1 }),
    'exp too far': () => claiming({ exp: now() + 86_400 }),
    'an infinite exp': () => rs256(header(), JSON.stringify({ ...good(), exp: 0 }).replace('"exp":0', '"exp":1e999')),
    'nbf future': () => claiming({ nbf: now() + 300 }),
    'nbf of another type': () => claiming({ nbf: 'tomorrow' }),
    'iat in an hour': () => claiming({ iat: now() + 3600, exp: now() + 4200 }),
    'an iat before the last logout': () => claiming({ iat: now() - 500, exp: now() + 100 }),
    'more than 8 KB': () => claiming({ padding: 'x'.repeat(7_000) }),
    'two dots': () => '..',
    'four parts': () => `${claiming({})}.x`,
    'a header that is null': () => `${encoded('null')}.${encoded(good())}.AAAA`,
    'a header that is not JSON': () => `${encoded('{')}.${encoded(good())}.AAAA`,
    'a payload that is not JSON': () => `${encoded(header())}.${encoded('not json')}.AAAA`,
    'a signed payload that is not JSON': () => rs256(header(), 'not json'),
    'a payload that is null': () => rs256(header(), 'null'),
    'a payload that is text': () => rs256(header(), '"text"'),
    'a payload that is a list': () => rs256(header(), '[]'),
    'a nested token': () => rs256({ ...header(), cty: 'JWT' }, encoded(claiming({}))),
  };

  const me = (token: string) =>
    rawRequest(`${app.url}/api/v1/developers/me`, { headers: { Authorization: `Bearer ${token}` } });

  it('is accepted with the scheme in upper or lower case, and in the cookie', async () => {
    expect((await me(claiming({}))).status).toBe(200);
    expect((await me(ann.token)).status).toBe(200);
    for (const value of [`bearer ${ann.token}`, `BEARER   ${ann.token}`]) {
      const response = await rawRequest(`${app.url}/api/v1/developers/me`, { headers: { Authorization: value } });
      expect(response.status).toBe(200);
    }
    const byCookie = await rawRequest(`${app.url}/api/v1/developers/me`, {
      headers: { Cookie: `dfdeveloper=${ann.token}` },
    });
    expect(byCookie.status).toBe(200);
  });

  // red when: each request verifies the signature again
  it('has its signature verified once', async () => {
    const verify = jest.spyOn(jsonwebtoken, 'verify');
    const token = claiming({});
    for (let time = 0; time < 3; time += 1) expect((await me(token)).status).toBe(200);
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockRestore();
  });

  // red when: checkClaims skips a claim or its type; keyFor falls back to a key; RS256 is not pinned; decode may throw
  it.each(Object.keys(forged))('with %s is rejected with 401, in the header and in the cookie', async (name) => {
    const token = forged[name]!();
    const byCookie = await rawRequest(`${app.url}/api/v1/developers/me`, {
      headers: { Cookie: `dfdeveloper=${token}` },
    });
    for (const response of [await me(token), byCookie]) {
      expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer realm="agate"']);
      const envelope = JSON.parse(response.text) as { details: object };
      expect(envelope).toEqual({
        error: 'unauthorized',
        message: new AppError('unauthorized').message,
        details: { request_id: response.headers['x-request-id'] },
      });
    }
    // This route does not reject it, and verifies the token by itself.
    const state = await rawRequest(`${app.url}/api/v1/login/session`, { headers: { Cookie: `dfdeveloper=${token}` } });
    expect(JSON.parse(state.text)).toEqual({ state: 'none', developer: null, organizations: [] });
  });

  it('is tested with at least 35 forgeries, which cause no error in the log', () => {
    expect(Object.keys(forged).length).toBeGreaterThanOrEqual(35);
    expect(app.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it.each([
    'Bearer',
    'Bearer ',
    'Basic YW5uOmFubg==',
    'Token x',
    'Bearer a b',
    ', Bearer x',
    'Bearer ag_pat_x',
    'Bearer ag_',
    `Bearer ${'x'.repeat(9000)}`,
    `Bearer ag_prj_${'x'.repeat(9000)}`,
  ])('in the cookie is ignored when the header is %p', async (value) => {
    const headers = { Cookie: `dfdeveloper=${ann.token}`, Authorization: value };
    const response = await rawRequest(`${app.url}/api/v1/developers/me`, { headers });
    expect([response.status, (JSON.parse(response.text) as { error: string }).error]).toEqual([401, 'unauthorized']);
  });

  it('names a published key, which contains no private part', async () => {
    const { text } = await rawRequest(`${app.url}/api/v1/.well-known/jwks.json`);
    const { keys } = JSON.parse(text) as { keys: Record<string, unknown>[] };
    expect(keys.map(({ kid }) => kid)).toEqual([key.id]);
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(keys[0]).not.toHaveProperty(name);
  });

  // red when: the expiry of a token is checked together with its signature, once
  it('expires after ten minutes', async () => {
    const { token } = await verifiedDeveloper(app);
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
      iat: number;
      exp: number;
    };
    expect(claims.exp - claims.iat).toBeCloseTo(600, 3);
    await app.clock.advance({ minutes: 9, seconds: 50 });
    expect((await me(token)).status).toBe(200);
    await app.clock.advance({ seconds: 11 });
    expect((await me(token)).status).toBe(401);
  });
});

/** The key is replaced on one process after another, and no developer has to log in again. */
describe('the rotation of the signing key', () => {
  it('keeps valid tokens valid until the old key is removed', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'agate-test-'));
    const [k1, k2] = [newKey(), newKey()];
    const first = await TestApp.start({ environment: await keys(directory, 'first', [k1]) });
    const others: TestApp[] = [];
    const beside = async (name: string, pems: string[]): Promise<TestApp> => {
      const app = await TestApp.start({ beside: first, worker: false, environment: await keys(directory, name, pems) });
      others.push(app);
      return app;
    };
    const statuses = (token: string, apps: TestApp[]): Promise<number[]> =>
      Promise.all(apps.map(async (app) => (await app.ci(token).get('/developers/me')).status));
    try {
      const announcing = await beside('announcing', [k1, k2]);
      const signing = await beside('signing', [k2, k1]);
      const last = await beside('last', [k2]);
      const ann = await verifiedDeveloper(first);
      const { token: younger } = await Developer.logIn(signing.url, ann.email, ann.password);
      const kidOf = (token: string): unknown =>
        (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: unknown }).kid;
      const published = async (app: TestApp): Promise<unknown[]> => {
        const { body } = await app.anonymous.get('/api/v1/.well-known/jwks.json').expect(200);
        const all = (body as { keys: Record<string, unknown>[] }).keys;
        for (const key of all) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
        return all.map(({ kid }) => kid);
      };

      expect(kidOf(younger)).not.toBe(kidOf(ann.token));
      expect(await published(first)).toEqual([kidOf(ann.token)]);
      expect(await published(announcing)).toEqual([kidOf(ann.token), kidOf(younger)]);
      expect(await published(signing)).toEqual([kidOf(younger), kidOf(ann.token)]);
      expect(await published(last)).toEqual([kidOf(younger)]);
      // red when: only the first key verifies, or a removed key still verifies
      expect(await statuses(ann.token, [first, announcing, signing, last])).toEqual([200, 200, 200, 401]);
      expect(await statuses(younger, [announcing, signing, last])).toEqual([200, 200, 200]);
      // The session survives the rejection: a refresh returns a token of the new key.
      const refreshed = await last.anonymous.post('/api/v1/login/refresh').send({ refresh_token: ann.refreshToken });
      expect(await statuses((refreshed.body as { token: string }).token, [announcing, signing, last])).toEqual([
        200, 200, 200,
      ]);
    } finally {
      for (const app of [...others, first]) await app.stop();
      await rm(directory, { recursive: true, force: true });
    }
  });

  const newKey = (): string =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const keys = async (directory: string, name: string, pems: string[]): Promise<Record<string, string>> => {
    const file = join(directory, `${name}.pem`);
    await writeFile(file, pems.join(''), { mode: 0o600 });
    return { JWT_PRIVATE_KEYS_FILE: file };
  };
});
