import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { READERS, type Visit } from '../../browser';
import { Desk } from '../desk';

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });
const region = (within: Page | Locator, name: string): Locator => within.getByRole('region', { name, exact: true });

describe('the commits of a build in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let beta: ChannelJson;
  let first: BuildJson;
  let last: BuildJson;
  let visit: Visit;
  let page: Page;

  /** Uploads a build of a commit with commits since another one. */
  const uploads = (
    code: number,
    commit: string,
    since?: string,
    subjects: readonly string[] = [],
  ): Promise<BuildJson> => {
    const commits = subjects.map((subject, at) => ({ sha: at === 0 ? commit : `abcdef${at}`, subject, author: 'Jun' }));
    return ann.uploads(
      project,
      { bytes: apk({ versionName: `1.${code}`, versionCode: code }), fileName: 'rocket.apk' },
      {
        branch: 'main',
        commit,
        pull_request: '12',
        pull_request_url: 'https://git.example.com/acme/rocket/pull/12',
        pull_request_title: 'The new login',
        ...(since && { commits: JSON.stringify(commits), commits_since: since }),
      },
    );
  };

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    beta = await ann.createsChannel(project, 'Beta');
    first = await uploads(1, 'aaaaaaa1');
    await uploads(2, 'aaaaaaa2', 'aaaaaaa1', ['Faster start']);
    const many = Array.from({ length: 8 }, (_, at) => `Change ${at}`);
    last = await uploads(3, 'aaaaaaa3', 'aaaaaaa2', ['Fix <b>the</b> login', ...many]);
    await ann.promotes(project, beta, first);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const home = (): string => `/o/${organization.id}/p/${project.id}`;
  const open = async (path: string, options = {}): Promise<void> => {
    visit = await desk.open(ann, path, options);
    page = visit.page;
  };

  it('are listed with links, subjects and authors', async () => {
    await open(`${home()}/builds/${last.id}`);
    const commits = region(page, 'Commits since the previous build');
    await commits.getByText('Fix <b>the</b> login', { exact: true }).waitFor();
    await commits.getByText('Jun', { exact: true }).first().waitFor();
    const link = commits.getByRole('link', { name: /^aaaaaaa/ });
    expect(await link.getAttribute('href')).toBe('https://git.example.com/acme/rocket/commit/aaaaaaa3');
    expect(await commits.getByText('Change 7', { exact: true }).isVisible()).toBe(false);
    await commits.getByText('1 further commit', { exact: true }).click();
    await commits.getByText('Change 7', { exact: true }).waitFor();
    await region(page, 'Facts')
      .getByRole('link', { name: /^#12 The new login/ })
      .waitFor();
    await desk.expectAccessible(visit, 'build-commits');
  });

  it('are not shown when the upload named none', async () => {
    await open(`${home()}/builds/${first.id}`);
    await region(page, 'Facts').waitFor();
    expect(await region(page, 'Commits since the previous build').count()).toBe(0);
    await button(page, 'Edit notes').click();
    await button(page, 'Save notes').waitFor();
    expect(await button(page, 'Propose from commits').count()).toBe(0);
  });

  // red when: the proposal replaces what was typed, or is lost by a reload
  it('are proposed as notes below what was typed', async () => {
    await open(`${home()}/builds/${last.id}`);
    await button(page, 'Edit notes').click();
    const field = page.getByRole('textbox', { name: 'What to test', exact: true });
    await field.pressSequentially('Test the login.');
    await button(page, 'Propose from commits').press('Enter');
    const proposed = [
      'Test the login.',
      '',
      '• Fix <b>the</b> login',
      ...Array.from({ length: 8 }, (_, at) => `• Change ${at}`),
    ];
    expect(await field.inputValue()).toBe(proposed.join('\n'));
    await page.reload();
    expect(await field.inputValue()).toBe(proposed.join('\n'));
    await button(page, 'Save notes').click();
    await region(page, 'What to test').getByText('Fix <b>the</b> login').waitFor();
  });

  it('are proposed in a promotion since the build that the channel has', async () => {
    await open(`${home()}/builds/${last.id}?promote=1`);
    const dialog = page.getByRole('dialog', { name: 'Promote 1.3 (3)', exact: true });
    const notes = dialog.getByRole('textbox', { name: 'Notes for testers', exact: true });
    await notes.fill('');
    await region(dialog, 'What changes for testers').getByText('Version', { exact: true }).waitFor();
    await button(dialog, 'Propose from commits').click();
    expect(await notes.inputValue()).toContain('• Change 7\n• Faster start');
    expect(await visit.accessibilityIssues()).toEqual([]);
  });

  it('of all builds between two are part of their comparison', async () => {
    await open(`${home()}/compare?from=${first.id}&to=${last.id}`);
    const changes = region(page, 'What changes');
    await changes.getByText('10 commits', { exact: true }).click();
    await changes.getByText('Faster start', { exact: true }).waitFor();
    await desk.expectAccessible(visit, 'compare-commits');
  });

  it('are described in German, on a phone', async () => {
    await open(`${home()}/builds/${last.id}`, { language: 'de', reader: READERS.iphone });
    await region(page, 'Commits seit dem vorigen Build').getByText('1 weiterer Commit', { exact: true }).waitFor();
    await button(page, 'Bearbeiten').click();
    await button(page, 'Aus Commits vorschlagen').waitFor();
    expect(await visit.accessibilityIssues()).toEqual([]);
  });
});
