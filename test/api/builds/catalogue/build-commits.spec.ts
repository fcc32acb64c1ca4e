import { type Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { ResumableClient } from '../../../support/actors/resumable-client';
import { TestApp } from '../../../support/app/test-app';
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { uploadLeftovers } from '../../../support/checks/upload-leftovers';

interface CommitJson {
  readonly sha: string;
  readonly subject: string;
  readonly author: string | null;
}

interface Source {
  readonly pull_request: { readonly number: number | null; readonly url: string | null; readonly title: string | null };
  readonly commits: readonly CommitJson[] | null;
  readonly commits_since: string | null;
}

const FILE = { bytes: ipa(), fileName: 'Demo.ipa' };
const COMMITS = [
  { sha: '9fceb02d0ae598e95dc970b74767f19372d61af8', subject: 'Fix the login on small screens', author: 'Ann' },
  { sha: '4a202b3', subject: '', author: null },
];

describe('the commits of a build', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let ci: Bearer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_ORGANIZATIONS_PER_DEVELOPER: '100', RATE_LIMIT_FACTOR: '100' } });
    ann = await app.developer();
  });
  beforeEach(async () => {
    project = await ann.createsProject(await ann.createsOrganization());
    ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
  });
  afterAll(() => app.stop());

  const uploads = (fields: Readonly<Record<string, string>>, file = FILE): Promise<BuildJson> =>
    ci.uploads(project, file, fields);
  const get = async ({ id }: { readonly id: string }): Promise<BuildJson> =>
    (await ann.get(`/builds/${id}?${scope(project)}`).expect(200)).body as BuildJson;
  const sourceOf = ({ source }: BuildJson): Source => source as Source;
  const commits = (list: unknown): string => JSON.stringify(list);

  it('are those of the upload, in its response and of one build, and null in lists', async () => {
    const build = await uploads({
      commits: commits(COMMITS),
      commits_since: '0b1c2d3',
      pull_request: '12',
      pull_request_title: 'Log in on small screens',
    });
    expect(sourceOf(build)).toMatchObject({
      pull_request: { number: 12, url: null, title: 'Log in on small screens' },
      commits: COMMITS,
      commits_since: '0b1c2d3',
    });
    // red when: the response to an upload, which is not read from the database, leaves them out
    expect(sourceOf(await get(build))).toEqual(sourceOf(build));
    const { items } = (await ann.get(`/builds?${scope(project)}`).expect(200)).body as { items: BuildJson[] };
    expect(items.map(sourceOf)).toMatchObject([
      { pull_request: { number: 12, url: null, title: null }, commits: null, commits_since: null },
    ]);
  });

  it('are also accepted by a resumable upload, as an array', async () => {
    const client = await ResumableClient.start(ci, project, FILE, { commits: COMMITS, commits_since: '0b1c2d3' });
    await client.sendAll();
    const build = await client.completes();
    expect(sourceOf(build)).toMatchObject({ commits: COMMITS, commits_since: '0b1c2d3' });
  });

  // red when: an empty list is stored as none
  it('are null when the upload named none, and empty when there were none', async () => {
    const none = await uploads({ commits: '', commits_since: '0b1c2d3', pull_request_title: 'Without a number' });
    expect(sourceOf(none)).toMatchObject({ commits: null, commits_since: null, pull_request: null });
    const empty = await uploads({ commits: '[]' }, { bytes: apk(), fileName: 'Demo.apk' });
    expect(sourceOf(empty)).toMatchObject({ commits: [], commits_since: null });
    expect(sourceOf(await get(empty)).commits).toEqual([]);
  });

  it('have texts that are cut, and cleaned of control and bidi characters', async () => {
    const subject = `\u001b[31mred\u202e\t${'ä'.repeat(400)}`;
    const build = await uploads({
      commits: commits([
        { sha: 'ABCDEF0', subject, author: ` ${'n'.repeat(200)}` },
        { sha: 'abcd', subject: 'x', author: '\u200f' },
      ]),
      pull_request: '1',
      pull_request_title: '🔑'.repeat(300),
    });
    const { commits: list, pull_request: pullRequest } = sourceOf(build);
    expect(list).toEqual([
      { sha: 'ABCDEF0', subject: `[31mred ${'ä'.repeat(248)}`, author: 'n'.repeat(100) },
      { sha: 'abcd', subject: 'x', author: null },
    ]);
    expect(pullRequest.title).toBe('🔑'.repeat(256));
  });

  const many = (count: number): CommitJson[] =>
    Array.from({ length: count }, (_, at) => ({
      sha: `abcd${at}`,
      subject: '漢'.repeat(256),
      author: '漢'.repeat(100),
    }));

  it('may be 100 of the longest', async () => {
    const list = many(100);
    expect(sourceOf(await uploads({ commits: commits(list) })).commits).toEqual(list);
    const body = { file_name: 'Demo.ipa', size_bytes: 1000, commits: list };
    await ci.post(`/builds/uploads?${scope(project)}`, body).expect(201);
  });

  const WRONG: readonly [string, unknown, string][] = [
    ['an object', {}, 'commits'],
    ['a number', 7, 'commits'],
    ['null', null, 'commits'],
    ['texts', ['9fceb02'], 'commits'],
    ['arrays', [[]], 'commits'],
    ['101 commits', many(101).map(({ sha }) => ({ sha, subject: '' })), 'commits'],
    ['no hash', [{ subject: 'x' }], 'commits.0.sha'],
    ['a hash that is not hexadecimal', [{ sha: '../../evil', subject: 'x' }], 'commits.0.sha'],
    ['no subject', [{ sha: '9fceb02' }], 'commits.0.subject'],
    ['a subject that is not a text', [{ sha: '9fceb02', subject: { $gt: '' } }], 'commits.0.subject'],
    ['an unknown field', [{ sha: '9fceb02', subject: 'x', email: 'ann@example.com' }], 'commits.0.email'],
    ['U+0000', [{ sha: '9fceb02', subject: 'a\u0000b' }], 'commits.0.subject'],
    ['half of a character', [{ sha: '9fceb02', subject: 'a\ud800' }], 'commits.0.subject'],
    ['a name of every object', [JSON.parse('{"sha":"9fceb02","subject":"x","__proto__":{}}')], 'commits.0.__proto__'],
    [
      'deep nesting',
      [{ sha: '9fceb02', subject: JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`) as unknown }],
      'commits.0.subject',
    ],
  ];

  // red when: the text of a form is not limited as a body is
  it.each(WRONG)('are rejected with %s, in a form and in a body', async (_what, list, field) => {
    const before = await uploadLeftovers(app);
    const fieldOf = (response: { readonly body: unknown }): string | undefined => {
      const { error, details } = response.body as { error: string; details: { fields: { field: string }[] } };
      expect(error).toBe('validation_error');
      return details.fields[0]?.field;
    };
    const form = await ci.upload(project, FILE, { commits: commits(list) }).expect(400);
    expect(fieldOf(form)).toContain(field);
    const body = { file_name: 'Demo.ipa', size_bytes: 1000, commits: list };
    expect(fieldOf(await ci.post(`/builds/uploads?${scope(project)}`, body).expect(400))).toContain(field);
    expect(await uploadLeftovers(app)).toEqual(before);
  });

  it.each([
    ['no JSON', { commits: '9fceb02 Fix the login' }],
    ['a hundred thousand brackets', { commits: '['.repeat(100_000) + ']'.repeat(20_000) }],
    ['valid nesting of a hundred thousand brackets', { commits: '['.repeat(60_000) + ']'.repeat(60_000) }],
    ['a commits_since that is no hash', { commits: '[]', commits_since: 'main' }],
  ])('are rejected with %s', async (_what, fields) => {
    expect((await ci.upload(project, FILE, fields).expect(400)).body).toMatchObject({ error: 'validation_error' });
  });

  it('are deleted with the build', async () => {
    const { id } = await uploads({ commits: commits(COMMITS) });
    await ann.delete(`/builds/${id}?${scope(project)}&permanently=true`).expect(204);
    expect(await app.sql('SELECT 1 FROM build_change WHERE build_id = $1', [id])).toEqual([]);
  });

  describe('in a comparison', () => {
    let built: number;
    beforeEach(() => (built = 0));
    /** Uploads a build of a commit with the commits since another one; without commits when that is absent. */
    const builds = (
      commit: string,
      since?: string,
      fields: Readonly<Record<string, string>> = {},
    ): Promise<BuildJson> => {
      const list: Record<string, string> =
        since === undefined
          ? {}
          : { commits: commits([{ sha: commit, subject: `To ${commit}` }]), commits_since: since };
      const file = { bytes: ipa({ info: { CFBundleVersion: String((built += 1)) } }), fileName: 'Demo.ipa' };
      return uploads({ branch: 'main', commit, ...list, ...fields }, file);
    };
    const compared = async (build: BuildJson, other: BuildJson): Promise<unknown> => {
      const { body } = await ann.get(`/builds/${build.id}/compare?${scope(project)}&with=${other.id}`).expect(200);
      return (body as { commits: unknown }).commits;
    };
    const added = (...shas: readonly string[]) => shas.map((sha) => ({ sha, subject: `To ${sha}`, author: null }));

    it('are those of all builds between, if each list begins where an earlier build ends', async () => {
      const first = await builds('aaaaaaa1');
      const second = await builds('aaaaaaa2', 'aaaaaaa1');
      await builds('bbbbbbb1', 'aaaaaaa1', { branch: 'feature' });
      const third = await builds('aaaaaaa3', 'aaaaaaa2');
      expect(await compared(third, first)).toEqual({
        added: added('aaaaaaa3', 'aaaaaaa2'),
        further_commits: 0,
        missing: [],
      });
      expect(await compared(third, second)).toMatchObject({ added: added('aaaaaaa3'), missing: [] });
    });

    it('name the builds before which they are unknown', async () => {
      const first = await builds('aaaaaaa1');
      const second = await builds('aaaaaaa2');
      const third = await builds('aaaaaaa3', 'aaaaaaa2');
      expect(await compared(third, first)).toMatchObject({ added: added('aaaaaaa3'), missing: [second.id] });
    });

    // red when: branch and platform are not compared
    it('are null for an earlier build, another branch or platform, and without any commits', async () => {
      const first = await builds('aaaaaaa1');
      const second = await builds('aaaaaaa2', 'aaaaaaa1');
      const other = await builds('aaaaaaa3', 'aaaaaaa2', { branch: 'feature' });
      const android = await uploads(
        { branch: 'main', commit: 'aaaaaaa4', commits: '[]', commits_since: 'aaaaaaa2' },
        { bytes: apk(), fileName: 'Demo.apk' },
      );
      const last = await builds('aaaaaaa5');
      for (const [build, against] of [
        [first, second],
        [other, second],
        [android, second],
        [last, second],
        [second, second],
      ] as const)
        expect(await compared(build, against)).toBeNull();
    });
  });
});
