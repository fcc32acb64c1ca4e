import { TestApp } from '../../support/app/test-app';

/** Requests that are authenticated in the same moment: each is answered, and as who it is. */
describe('simultaneous requests', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  // red when: passport is given the strategy itself instead of its name (answers are lost or somebody else's)
  it('are each answered as the developer who asks', async () => {
    const developers = await Promise.all(Array.from({ length: 4 }, () => app.developer()));
    const asked = Array.from({ length: 80 }, (_, index) => developers[index % developers.length]!);
    const answers = await Promise.all(asked.map((developer) => developer.get('/developers/me')));
    expect(answers.map(({ body }) => (body as { id: string }).id)).toEqual(asked.map(({ id }) => id));
  });
});
