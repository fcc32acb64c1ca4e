import { TestApp } from '../../../support/app/test-app';

describe('concurrent requests', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  // red when: passport gets the strategy itself instead of its name (responses are lost or mixed up)
  it('are each authenticated as their own developer', async () => {
    const developers = await Promise.all(Array.from({ length: 4 }, () => app.developer()));
    const asked = Array.from({ length: 80 }, (_, index) => developers[index % developers.length]!);
    const responses = await Promise.all(asked.map((developer) => developer.get('/developers/me')));
    expect(responses.map(({ body }) => (body as { id: string }).id)).toEqual(asked.map(({ id }) => id));
  });
});
