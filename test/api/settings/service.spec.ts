import { TestApp } from '../../support/app/test-app';

describe('GET /service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({
      environment: {
        BASE_URL: 'https://agate.example.com',
        INSTALL_BASE_URL: 'https://install.example.com',
        SIGN_UP: 'secret-customer.example, example.com',
        MAX_UPLOAD_BYTES: '500000000',
      },
    });
  });
  afterAll(() => app.stop());

  const settings = () => app.anonymous.get('/api/v1/service').expect(200);

  it('returns the settings to everyone, without the domains that may sign up', async () => {
    const { body, text } = await settings();
    expect(body).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      base_url: 'https://agate.example.com',
      install_base_url: 'https://install.example.com',
      sign_up: 'domains',
      captcha: 'none',
      mail: 'written',
      max_upload_bytes: 500_000_000,
      own_storage: ['s3', 'azure'],
      billing: 'metered',
      payment_provider: 'manual',
    });
    expect(text).not.toMatch(/secret-customer|postgres/);
  });

  // red when: fees and prices are written down a second time and one of them changes
  it('returns the plans and prices that organizations then pay', async () => {
    const { plans, prices } = (await settings()).body as {
      plans: { plan: string; mode: string; fee_micro_usd: number; features: string[] }[];
      prices: object;
    };
    expect(plans.map(({ plan, features }) => [plan, features])).toEqual([
      ['team', []],
      ['business', ['channels', 'own_storage']],
    ]);
    const ann = await app.developer();
    const organization = await ann.createsOrganization();
    for (const plan of ['team', 'business'] as const) {
      if (plan === 'business') await ann.changesPlan(organization, plan);
      const { body } = await ann.get(`/organizations/${organization.id}/billing`).expect(200);
      const { mode, fee_micro_usd: fee } = plans.find((offer) => offer.plan === plan)!;
      expect(body).toMatchObject({ plan, mode, plan_fee_micro_usd: fee, prices });
    }
  });

  it('may be cached for a minute', async () => {
    expect((await settings()).headers['cache-control']).toBe('public, max-age=60');
  });
});
