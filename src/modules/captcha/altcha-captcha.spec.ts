import { randomBytes } from 'node:crypto';
import { type Challenge, type Payload, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AltchaCaptcha } from './altcha-captcha';

const key = (id: string) => ({ id, secret: randomBytes(32) });
const at = (offsetMs = 0): RequestContext => ({
  requestId: 'test',
  sourceIp: null,
  identity: ANONYMOUS,
  clock: { now: () => new Date(Date.now() + offsetMs) },
});
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const solve = async (challenge: Challenge): Promise<Payload> => {
  const solution = await solveChallenge({ challenge, deriveKey });
  return { challenge, solution: solution as NonNullable<typeof solution> };
};

describe('AltchaCaptcha', () => {
  const k1 = key('k1');
  const captcha = new AltchaCaptcha([k1]);
  let payload: Payload;

  beforeAll(async () => {
    payload = await solve(await captcha.challenge(at()));
  });

  it('returns the digest and the expiry of the challenge for a correct solution', async () => {
    const proof = await captcha.verify(at(), encode(payload));
    expect(proof?.digest).toHaveLength(32);
    expect(proof?.expiresAt.getTime()).toBe((payload.challenge.parameters.expiresAt ?? 0) * 1000);
  });

  it('accepts a solution for ten minutes', async () => {
    expect(await captcha.verify(at(9 * 60_000), encode(payload))).not.toBeNull();
    // red when: only the library checks the expiry, by the machine's clock
    expect(await captcha.verify(at(10 * 60_000), encode(payload))).toBeNull();
  });

  it('returns the same digest for differently encoded solutions of a challenge', async () => {
    const { challenge, solution } = payload;
    const reordered = Object.fromEntries(Object.entries(challenge.parameters).reverse());
    const other = encode({
      extra: 1,
      solution: { ...solution, time: 9 },
      challenge: { ...challenge, parameters: reordered },
    });
    const proofs = await Promise.all([encode(payload), other].map((solved) => captcha.verify(at(), solved)));
    // red when: the digest is computed from the solution instead of the challenge's nonce
    expect(proofs[1]?.digest).toEqual(proofs[0]?.digest);
  });

  it.each([{ hmacAlgorithm: 'x' }, { hmacKeySignatureSecret: '' }, { counterMode: 'string' }, { deriveKey: null }])(
    'ignores other fields of the payload: %p',
    async (more) => {
      // red when: the client's whole payload is passed to the library, which reads options from it and throws
      expect(await captcha.verify(at(), encode({ ...payload, ...more }))).not.toBeNull();
      expect(await captcha.verify(at(), encode({ ...payload, ...more, solution: { counter: -1 } }))).toBeNull();
    },
  );

  it.each<[string, (given: Payload) => unknown]>([
    ['no work', ({ challenge }) => ({ challenge, solution: { counter: 0, derivedKey: '00'.repeat(32) } })],
    [
      'another counter',
      ({ challenge, solution }) => ({ challenge, solution: { ...solution, counter: solution.counter + 1 } }),
    ],
    ['less work', ({ challenge, ...rest }) => changed(challenge, rest, { keyPrefix: '0' })],
    ['cheaper work', ({ challenge, ...rest }) => changed(challenge, rest, { cost: 1 })],
    ['a longer life', ({ challenge, ...rest }) => changed(challenge, rest, { expiresAt: 9_999_999_999 })],
    ['no end of life', ({ challenge, ...rest }) => changed(challenge, rest, { expiresAt: undefined })],
    ['no signature', ({ challenge, ...rest }) => ({ challenge: { parameters: challenge.parameters }, ...rest })],
    ['an empty signature', ({ challenge, ...rest }) => ({ challenge: { ...challenge, signature: '' }, ...rest })],
    ['no parameters', ({ challenge, ...rest }) => ({ challenge: { ...challenge, parameters: null }, ...rest })],
    ['no solution', ({ challenge }) => ({ challenge })],
    ['a list', () => []],
    ['null', () => null],
  ])('rejects a solution with %s', async (_what, change) => {
    expect(await captcha.verify(at(), encode(change(payload)))).toBeNull();
  });

  it.each(['', '=', 'not base64!', 'bm8ganNvbg==', 'A'.repeat(1_000_000)])(
    'rejects malformed text (%#)',
    async (text) => {
      expect(await captcha.verify(at(), text)).toBeNull();
    },
  );

  it('accepts challenges signed with an older key, and rejects those signed with an unknown key', async () => {
    const k2 = key('k2');
    expect(await new AltchaCaptcha([k2, k1]).verify(at(), encode(payload))).not.toBeNull();
    expect(await new AltchaCaptcha([k2]).verify(at(), encode(payload))).toBeNull();
  });
});

const changed = (challenge: Challenge, rest: object, change: object): unknown => ({
  challenge: { ...challenge, parameters: { ...challenge.parameters, ...change } },
  ...rest,
});
