import { scope } from '../support/actors';
import { apk, ipa } from '../support/artifacts/valid-artifacts';
import { TestApp } from '../support/test-app';

describe('builds', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('takes an upload with a project token alone and shows what the artifact says', async () => {
    const ann = await app.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    const ci = app.ci(await ann.createsToken(project));
    const { body } = await ci.post('/nothing').expect(404);
    expect(body).toMatchObject({ error: 'not_found' });
    const build = await ci.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    expect(build).toMatchObject({ platform: 'ios', project_id: project.id });
    await ann.get(`/builds/${build.id}?${scope(project)}`).expect(200);
    const android = await ci.uploads(project, { bytes: apk(), fileName: 'Demo.apk' }, { notes: 'hello' });
    expect(android).toMatchObject({ platform: 'android', notes: 'hello' });
  });
});
