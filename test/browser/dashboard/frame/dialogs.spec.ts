import path from 'node:path';
import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { type Visit } from '../../browser';
import { Desk } from '../desk';
import { joins } from '../joins';

const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];

const WORDS = path.resolve(__dirname, '../../../../packages/dashboard/src/words');

type Texts = Readonly<Record<string, unknown>>;

/** The texts of the dashboard by their place, such as `channels.rename`, in a language. */
async function readTexts(language: Language): Promise<(place: string, ...parameters: unknown[]) => string> {
  const areas = 'frame channels build testers tokens access members settings account'.split(' ');
  const files = areas.map((area) => import(path.join(WORDS, language, area)) as Promise<Texts>);
  const texts = Object.assign({}, ...(await Promise.all(files))) as Texts;
  return (place, ...parameters) => {
    const found = place.split('.').reduce<unknown>((within, key) => (within as Texts)[key], texts);
    if (typeof found === 'function') return String((found as (...all: unknown[]) => string)(...parameters));
    if (typeof found !== 'string') throw new Error(`The dashboard has no text ${place}.`);
    return found;
  };
}

/** What is open above the screen. */
const OPEN = 'dialog[open], [role=menu]:popover-open';

describe('the dialogs and menus of the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  let bob: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let empty: ProjectRef;
  let build: BuildJson;
  let channel: ChannelJson;
  let tester: { readonly id: string };

  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
    bob = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    await joins(ann, bob, organization, ['MEMBER']);
    await ann
      .post(`/organizations/${organization.id}/invitations`, { email: 'eve@example.com', roles: ['READ'] })
      .expect(201);
    project = await ann.createsProject(organization, 'Rocket');
    empty = await ann.createsProject(organization, 'Balloon');
    const path = `/projects/${project.id}/members/${bob.id}?organization_id=${organization.id}`;
    await ann.request('put', path).send({ role: 'UPLOAD_BUILD' }).expect(200);
    const older = await ann.uploads(project, { bytes: apk({ versionName: '2.0.9' }), fileName: 'rocket.apk' });
    build = await ann.uploads(project, { bytes: apk({ versionName: '2.1.0' }), fileName: 'rocket.apk' });
    channel = await ann.createsChannel(project, 'Beta');
    await ann.promotes(project, channel, older);
    await ann.promotes(project, channel, build);
    tester = (await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201))
      .body as typeof tester;
    await ann.createsToken(project);
    const token = { name: 'Scripts', scopes: ['builds:read'] };
    await ann.post(`/pats?organization_id=${organization.id}`, token).expect(201);
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  const inProject = (screen: string, of = project): string => `/o/${organization.id}/p/${of.id}${screen}`;
  const inOrganization = (screen: string): string => `/o/${organization.id}${screen}`;

  /** Expects no finding of axe in what is open, in both themes, on a desk and on a phone. Then closes it. */
  const expectAccessible = async (visit: Visit, name: string): Promise<void> => {
    await visit.page.locator(OPEN).first().waitFor();
    for (const width of [1280, 390]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await visit.resize(width, colorScheme);
        const issues = await visit.accessibilityIssues(OPEN);
        expect({ name, width, colorScheme, issues, overflow: await visit.overflow() }).toEqual({
          name,
          width,
          colorScheme,
          issues: [],
          overflow: 0,
        });
      }
    }
    await visit.resize(1280, 'light');
    await visit.page.keyboard.press('Escape');
    await visit.page.locator(OPEN).first().waitFor({ state: 'hidden' });
  };

  describe.each(LANGUAGES)('in %s', (language) => {
    let t: Awaited<ReturnType<typeof readTexts>>;
    beforeAll(async () => {
      t = await readTexts(language);
    });

    const button = (within: Page | Locator, ...name: Parameters<typeof t>): Locator =>
      within.getByRole('button', { name: t(...name), exact: true }).first();
    const open = (address: string): Promise<Visit> => desk.open(ann, address, { language });

    /** Scans a menu, and the dialogs that its items open. */
    const expectMenu = async (visit: Visit, trigger: Locator, items: readonly string[]): Promise<void> => {
      await trigger.click();
      await expectAccessible(visit, 'menu');
      for (const item of items) {
        await trigger.click();
        await visit.page.getByRole('menuitem', { name: t(item), exact: true }).click();
        await visit.page.locator('dialog[open]').waitFor();
        await expectAccessible(visit, item);
      }
    };
    const expectDialog = async (visit: Visit, ...name: Parameters<typeof t>): Promise<void> => {
      await button(visit.page.getByRole('main'), ...name).click();
      await expectAccessible(visit, name[0]);
    };

    it('are accessible in the frame', async () => {
      const visit = await open(inProject('/builds'));
      const { page } = visit;
      for (const key of ['Control+k', '?']) {
        await page.keyboard.press(key);
        await expectAccessible(visit, key);
      }
      await expectMenu(visit, button(page, 'frame.switchOrganization'), []);
      await expectMenu(visit, button(page, 'frame.accountMenu'), []);
    });

    it('are accessible when an address opens them', async () => {
      const visit = await open(inOrganization('?create=1'));
      await expectAccessible(visit, 'create a project');
      for (const address of [
        inProject(`/builds/${build.id}?promote=${build.id}`),
        inProject('?promote=' + build.id),
        inProject('/channels?create=1'),
        inProject('/testers?add=1'),
        inProject('/tokens?new=1'),
        inProject('/access?add=1'),
        inOrganization('/members?invite=1'),
        inOrganization('/billing?act=plan'),
        inOrganization('/billing?act=credit'),
        '/account/tokens?new=1',
      ]) {
        await desk.go(visit, address);
        await expectAccessible(visit, address);
      }
    });

    it('are accessible on the screens of a build and a channel', async () => {
      const visit = await open(inProject(`/builds/${build.id}`));
      await expectMenu(visit, button(visit.page, 'build.more'), ['build.delete']);
      await expectDialog(visit, 'build.replaceLink');
      await desk.go(visit, inProject(`/channels/${channel.id}`));
      await expectMenu(visit, button(visit.page, 'channels.more'), ['channels.rename', 'channels.delete']);
      await expectMenu(visit, button(visit.page, 'channels.releaseActions', 1), ['channels.withdraw']);
      await expectDialog(visit, 'channels.promoteBuild');
      await expectDialog(visit, 'channels.replaceLink');
      await expectDialog(visit, 'channels.withdraw');
    });

    it('are accessible on the screens of testers, tokens and access', async () => {
      const visit = await open(inProject('/testers'));
      const actions = button(visit.page, 'testers.actions', 'tess@example.com');
      await expectMenu(visit, actions, ['testers.invite', 'testers.rename', 'testers.erase']);
      await desk.go(visit, inProject(`/testers/${tester.id}`));
      await expectMenu(visit, actions, []);
      for (const address of [inProject('/tokens'), '/account/tokens']) {
        await desk.go(visit, address);
        await expectDialog(visit, 'tokens.rotate');
        await expectDialog(visit, 'tokens.revoke');
      }
      await desk.go(visit, inProject('/access'));
      await expectDialog(visit, 'access.change');
      await expectDialog(visit, 'access.remove');
    });

    it('are accessible on the screens of the organization', async () => {
      const visit = await open(inOrganization('/members'));
      await expectDialog(visit, 'members.change');
      await expectDialog(visit, 'members.invitations.withdraw');
      await desk.go(visit, inOrganization('/settings'));
      await expectDialog(visit, 'settings.export.start');
      await desk.go(visit, inProject('/settings', empty));
      await expectDialog(visit, 'settings.deleteProject.button');
      await desk.go(visit, inOrganization('/audit'));
      await visit.page.getByRole('table').getByRole('row').nth(1).getByRole('button').first().click();
      await expectAccessible(visit, 'an event');
    });

    it('are accessible on the screens of the account', async () => {
      const visit = await open('/account');
      await expectDialog(visit, 'account.email.change');
      await expectDialog(visit, 'account.passwordCard.change');
      await desk.go(visit, '/account/security');
      await expectDialog(visit, 'account.security.mfa.setUp');
    });
  });
});
