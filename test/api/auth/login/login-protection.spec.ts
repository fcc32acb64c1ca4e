import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { generate } from 'otplib';
import { type Developer, randomEmail } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { type Envelope, errorOf } from '../../../support/checks/routes/route-requests';
import { rawRequest, type RawResponse } from '../../../support/load/raw-http';

/** Failures without a captcha: of one address from one network, and from all networks. */
const OF_NETWORK = 5;
const OF_ACCOUNT = 10;
const OF_DEVICE = 10;
/** The length of the window in which failures are counted. */
const WINDOW = { minutes: 15 };

describe('the protection of logins', () => {
  let app: TestApp;
  let beside: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    const environment = { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1', CAPTCHA_PROVIDER: 'none' };
    app = await TestApp.start({ environment: { ...environment, RATE_LIMIT_FACTOR: '0' } });
    beside = await TestApp.start({ environment, beside: app, worker: false });
  });
  afterAll(async () => {
    await beside.stop();
    await app.stop();
  });
  beforeEach(async () => {
    // The limit of logins of one address is not the subject of these tests.
    await app.clock.advance({ minutes: 1 });
    ann = await app.developer();
  });

  interface Options {
    readonly email?: string;
    readonly password?: string;
    readonly code?: string;
    readonly captcha?: string;
    readonly cookie?: string;
    readonly address?: string;
  }
  const logsIn = (options: Options = {}): Promise<RawResponse> => {
    const { email = ann.email, password = ann.password, code, captcha, cookie, address = '198.51.100.1' } = options;
    return rawRequest(`${beside.url}/api/v1/login/email`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': address,
        ...(cookie !== undefined && { Cookie: `dfdeveloper_device=${cookie}` }),
      },
      body: JSON.stringify({ email, password, mfa_code: code, captcha }),
    });
  };
  const guesses = async (count: number, options: Options | ((n: number) => Options) = {}): Promise<RawResponse[]> => {
    const responses: RawResponse[] = [];
    for (let n = 0; n < count; n++)
      responses.push(
        await logsIn({ password: 'a wrong pass phrase', ...(typeof options === 'function' ? options(n) : options) }),
      );
    return responses;
  };
  const statuses = (responses: readonly RawResponse[]): number[] => responses.map(({ status }) => status);
  const error = (response: RawResponse): Envelope => errorOf(response)!;
  const deviceCookieOf = ({ headers }: RawResponse): string =>
    /dfdeveloper_device=([^;]+)/.exec(String(headers['set-cookie']))![1]!;
  const solved = async (): Promise<string> => {
    const accept = { Accept: 'application/json' };
    const { text } = await rawRequest(`${beside.url}/api/v1/captcha?for=login`, { headers: accept });
    const challenge = JSON.parse(text) as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  };

  // red when: failures are counted per e-mail address alone
  it('lets the owner log in from another network while one network guesses the password', async () => {
    const responses = await guesses(20);
    expect(statuses(responses)).toEqual([...Array<number>(OF_NETWORK).fill(401), ...Array<number>(15).fill(429)]);
    expect((await logsIn({ address: '198.51.100.200' })).status).toBe(429);
    expect((await logsIn({ address: '203.0.113.1' })).status).toBe(200);
  });

  // red when: the failures of one network beyond its limit count for the address, which guesses in parallel reach
  it('lets the owner log in from another network after one network guessed in parallel', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => logsIn({ password: 'a wrong pass phrase', address: `198.51.100.${n}` })),
    );
    expect(statuses(responses).filter((status) => status === 401).length).toBeGreaterThanOrEqual(OF_NETWORK);
    expect((await logsIn({ address: '203.0.113.1' })).status).toBe(200);
  });

  it('counts the addresses of an IPv6 /48 as one network', async () => {
    const responses = await guesses(8, (n) => ({ address: `2001:db8:7:${n}::${n}` }));
    expect(statuses(responses)).toEqual([...Array<number>(OF_NETWORK).fill(401), 429, 429, 429]);
    expect((await logsIn({ address: '2001:db8:8::1' })).status).toBe(200);
  });

  // red when: the response does not say that a captcha helps, or the captcha does not help
  it('requires a captcha beyond the limit, which permits one attempt', async () => {
    const responses = await guesses(OF_NETWORK + 1);
    const captchas = responses.map((response) => error(response).details['captcha_required']);
    expect(captchas).toEqual([undefined, undefined, undefined, undefined, true, true]);
    const refused = await logsIn();
    expect(refused.status).toBe(429);
    const { details } = error(refused);
    expect(details).toMatchObject({ captcha_required: true });
    expect(refused.headers['retry-after']).toBe(String(details['retry_after_seconds']));

    const captcha = await solved();
    expect((await logsIn({ captcha: 'd3Jvbmc=' })).status).toBe(400);
    expect((await logsIn({ password: 'a wrong pass phrase', captcha })).status).toBe(401);
    expect(error(await logsIn({ captcha })).details).toMatchObject({ reason: 'captcha_invalid' });
    expect((await logsIn({ captcha: await solved() })).status).toBe(200);
    // A correct password clears the count of the network.
    expect(statuses(await guesses(1))).toEqual([401]);
  });

  // red when: failures are counted per network alone
  it('requires a captcha from every unknown device after a botnet has guessed', async () => {
    const responses = await guesses(OF_ACCOUNT + 2, (n) => ({ address: `10.0.${n}.1` }));
    expect(statuses(responses)).toEqual([...Array<number>(OF_ACCOUNT).fill(401), 429, 429]);
    expect(error(await logsIn({ address: '203.0.113.1' })).details).toMatchObject({ captcha_required: true });
    expect((await logsIn({ address: '203.0.113.1', captcha: await solved() })).status).toBe(200);
    await app.clock.advance(WINDOW);
    expect((await logsIn({ address: '203.0.113.2' })).status).toBe(200);
  });

  // red when: the check of a known address differs from that of an unknown one
  it('has the same responses for an unknown address', async () => {
    const details = (response: RawResponse): unknown[] => [
      response.status,
      error(response).message,
      error(response).details['captcha_required'],
    ];
    const known = await guesses(7, { address: '10.1.0.1' });
    const unknown = await guesses(7, { address: '10.1.1.1', email: randomEmail() });
    expect(unknown.map(details)).toEqual(known.map(details));
  });

  it('counts all spellings of an address together', async () => {
    const spellings = [ann.email, ann.email.toUpperCase(), ` ${ann.email} `];
    const responses = await guesses(OF_NETWORK + 1, (n) => ({ email: spellings[n % 3]!, address: '10.2.0.1' }));
    expect(statuses(responses)).toEqual([...Array<number>(OF_NETWORK).fill(401), 429]);
  });

  describe('on a device with its cookie', () => {
    let cookie: string;
    beforeEach(async () => {
      cookie = deviceCookieOf(await logsIn());
    });

    // red when: the cookie is not read
    it('requires no captcha, however many networks guess', async () => {
      await guesses(OF_ACCOUNT, (n) => ({ address: `10.3.${n}.1` }));
      await guesses(OF_NETWORK, { address: '198.51.100.1' });
      expect((await logsIn()).status).toBe(429);
      const response = await logsIn({ cookie });
      expect(response.status).toBe(200);
      // The device keeps its id.
      expect(deviceCookieOf(response).split('.')[0]).toBe(cookie.split('.')[0]);
    });

    // red when: the signature does not cover the address, the id or the time; or failures of a device are not counted
    it('cannot be used to guess with a stolen or forged cookie', async () => {
      const [id = '', at = '', signature = ''] = cookie.split('.');
      const forged = [
        `${id}.${Number(at) + 1}.${signature}`,
        `${'A'.repeat(22)}.${at}.${signature}`,
        `${id}.${at}.${'A'.repeat(43)}`,
        'x',
      ];
      await guesses(OF_NETWORK);
      for (const each of forged) expect((await logsIn({ cookie: each })).status).toBe(429);
      const bob = await app.developer();
      await guesses(OF_NETWORK, { email: bob.email });
      expect((await logsIn({ email: bob.email, password: bob.password, cookie })).status).toBe(429);

      const responses = await guesses(OF_DEVICE, { cookie });
      expect(statuses(responses)).toEqual(Array<number>(OF_DEVICE).fill(401));
      expect(error(await logsIn({ cookie })).details).toMatchObject({ captcha_required: true });
    });

    it('ends after a year', async () => {
      await app.clock.advance({ days: 366 });
      await guesses(OF_NETWORK);
      expect((await logsIn({ cookie })).status).toBe(429);
    });
  });

  describe('with a second factor', () => {
    let secret: string;
    const code = (seconds = 0): Promise<string> =>
      generate({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) + seconds });
    const wrongCode = async (): Promise<string> => ((await code()) === '000000' ? '000001' : '000000');
    beforeEach(async () => {
      const { password } = ann;
      secret = ((await ann.post('/developers/me/mfa', { password }).expect(200)).body as { secret: string }).secret;
      await ann.post('/developers/me/mfa/confirm', { password, code: await code() }).expect(200);
      // A code is accepted only once.
      await app.clock.advance({ seconds: 30 });
    });

    // red when: wrong codes lock the factor for every network
    it('lets the owner log in from another network while one network guesses codes', async () => {
      const responses: RawResponse[] = [];
      for (let n = 0; n < 8; n++) responses.push(await logsIn({ code: await wrongCode() }));
      expect(statuses(responses)).toEqual([...Array<number>(OF_NETWORK).fill(401), 429, 429, 429]);
      expect(error(responses[7]!).details).toMatchObject({ captcha_required: true });
      expect((await logsIn({ code: await code(), address: '203.0.113.1' })).status).toBe(200);
    });
  });
});
