import { InstallService } from '../../../src/modules/install/install.service';
import { InstallPagesService } from '../../../src/modules/install/page/install-pages.service';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
];
const QUERIES = ['', '?lang=de', '?device=ipad&lang=en'];
const LANGUAGES = ['en', 'de-CH'];

describe('the cached page of a build', () => {
  let app: TestApp;
  /** Another process of the installation, which forgets all pages before each response. */
  let cold: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    // To the beginning of a day, which ends only when a test lets it.
    await app.clock.advanceToFifth();
    cold = await TestApp.start({ beside: app, worker: false });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    const expiresAt = new Date(app.clock.now().getTime() + 31 * 86_400_000);
    build = await ann.uploads(project, { bytes: ipa({ expiresAt }), fileName: 'Demo.ipa' });
  });
  afterAll(async () => {
    await cold.stop();
    await app.stop();
  });

  const pathOf = ({ install_url: url }: BuildJson): string => new URL(url).pathname;
  const shown = async (from: TestApp, path: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
    const response: RawResponse = await rawRequest(from.url + path, { method: 'GET', headers });
    const { date: _date, 'x-request-id': _id, ...others } = response.headers;
    return { status: response.status, headers: others, text: response.text };
  };

  /** Every reader gets from this process what a process without kept pages sends. @returns the texts. */
  const expectCurrent = async (agents = AGENTS, queries = QUERIES): Promise<string> => {
    const texts: string[] = [];
    for (const agent of agents)
      for (const query of queries)
        for (const language of LANGUAGES) {
          const headers = { Accept: 'text/html', 'User-Agent': agent, 'Accept-Language': language };
          const path = pathOf(build) + query;
          cold.nest.get(InstallPagesService).fragments.clear();
          const page = await shown(app, path, headers);
          expect(page).toEqual(await shown(cold, path, headers));
          expect(page).toEqual(await shown(app, path, headers));
          texts.push((page as { text: string }).text);
        }
    return texts.join('');
  };

  // red when: the version is not compared, or leaves out a row or the name of the uploader; the key leaves out device, language or query
  it('is current after every change, for every device, language and query', async () => {
    expect(await expectCurrent()).not.toContain('New notes');
    await ann.patch(`/builds/${build.id}?${scope(project)}`, { notes: 'New <notes>' }).expect(200);
    expect(await expectCurrent()).toContain('New &lt;notes&gt;');
    await ann
      .patch(`/projects/${project.id}?organization_id=${project.organizationId}`, { name: 'Another name' })
      .expect(200);
    expect(await expectCurrent()).toContain('Another name');
    await ann.patch(`/organizations/${project.organizationId}`, { name: 'Acme Ltd' }).expect(200);
    expect(await expectCurrent()).toContain('Acme Ltd sends you this app');
    expect(await expectCurrent()).not.toContain(ann.email);
    await ann.patch('/developers/me', { name: 'Ann Berg' }).expect(200);
    expect(await expectCurrent()).toContain('UTC, by Ann Berg');
  });

  it('is not read from the database again', async () => {
    const headers = { Accept: 'text/html', 'User-Agent': AGENTS[0] as string };
    // The second time, it is kept.
    for (let time = 0; time < 2; time += 1) await shown(app, pathOf(build), headers);
    const [reads, others] = (['page', 'pageOf'] as const).map((name) => jest.spyOn(app.nest.get(InstallService), name));
    await shown(app, pathOf(build), headers);
    expect(reads).not.toHaveBeenCalled();
    await shown(app, `${pathOf(build)}?note=${'x'.repeat(200)}`, headers);
    expect(others).toHaveBeenCalledTimes(1);
    reads?.mockRestore();
    others?.mockRestore();
  });

  // red when: a kept page is sent without a look at the rows
  it('is dropped with its link and with its build', async () => {
    const other = await ann.uploads(project, { bytes: ipa(), fileName: 'Other.ipa' });
    const statusOf = async (path: string): Promise<number> =>
      (await rawRequest(app.url + path, { method: 'GET', headers: { Accept: 'text/html' } })).status;
    const opened = async (path: string): Promise<string> => {
      expect([await statusOf(path), await statusOf(path)]).toEqual([200, 200]);
      return path;
    };
    const first = await opened(pathOf(other));
    const { body } = await ann.post(`/builds/${other.id}/rotate-link?${scope(project)}`).expect(200);
    expect(await statusOf(first)).toBe(404);
    const second = await opened(pathOf(body as BuildJson));
    await ann.delete(`/builds/${other.id}?${scope(project)}&permanently=true`).expect(204);
    expect(await statusOf(second)).toBe(404);
  });

  // red when: a page is shown after its day, or after a warning changed
  it('is current as time passes', async () => {
    const onPhones = (): Promise<string> => expectCurrent(AGENTS.slice(0, 1), ['']);
    expect(await onPhones()).toContain('today');
    await app.clock.advance({ days: 1 });
    expect(await onPhones()).toContain('yesterday');
    for (const days of [1, 28, 1, 1]) {
      await app.clock.advance({ days });
      await onPhones();
    }
  });
});
