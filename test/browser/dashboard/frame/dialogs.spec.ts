import path from 'node:path';
import { generate } from 'otplib';
import { type Locator, type Page } from 'playwright-core';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../../support/actors/actors';
import { customerS3, type CustomerStore, ON_THIS_MACHINE, putByosa, s3Settings } from '../../../support/actors/byosa';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { type S3Server } from '../../../support/servers/stores/s3-server';
import { type Look, LOOKS, type Visit } from '../../browser';
import { Desk } from '../desk';
import { joins } from '../joins';

const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];

const WORDS = path.resolve(__dirname, '../../../../packages/dashboard/src/words');

type Texts = Readonly<Record<string, unknown>>;

/** The texts of the dashboard by their place, such as `channels.rename`, in a language. */
async function readTexts(language: Language): Promise<(place: string, ...parameters: unknown[]) => string> {
  const areas = 'every-screen channels build builds testers tokens access members settings storage account audit'.split(
    ' ',
  );
  const files = areas.map((area) => import(path.join(WORDS, language, area)) as Promise<Texts>);
  const texts = Object.assign({}, ...(await Promise.all(files))) as Texts;
  return (place, ...parameters) => {
    const found = place.split('.').reduce<unknown>((within, key) => (within as Texts)[key], texts);
    if (typeof found === 'function') return String((found as (...all: unknown[]) => string)(...parameters));
    if (typeof found !== 'string') throw new Error(`The dashboard has no text ${place}.`);
    return found;
  };
}

/**
 * The looks in which a dialog is examined: on a desktop and a phone. Colours do not depend on the language, and the longer words of German
 * are on the phone, where they wrap first. DIALOG_LOOKS=all: all of them in both languages.
 */
const looksIn = (language: Language): readonly Look[] =>
  LOOKS.filter(({ width }) => width > 320).filter(
    ({ colorScheme, width }) =>
      language === 'en' || process.env['DIALOG_LOOKS'] === 'all' || (width === 390 && colorScheme === 'light'),
  );

/** The overlay that is open above the screen. */
const OPEN = 'dialog[open], [role=menu]:popover-open';

describe('the dialogs and menus of the dashboard', () => {
  let desk: Desk;
  let store: CustomerStore & { readonly proxy: S3Server };
  let ann: Developer;
  let bob: Developer;
  let organization: OrganizationRef;
  /** Has its own storage, and no projects. */
  let stored: OrganizationRef;
  let project: ProjectRef;
  let empty: ProjectRef;
  let build: BuildJson;
  let channel: ChannelJson;
  let tester: { readonly id: string };

  beforeAll(async () => {
    [desk, store] = await Promise.all([Desk.start(ON_THIS_MACHINE), customerS3()]);
    ann = await desk.app.developer();
    bob = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    await joins(ann, bob, organization, ['MEMBER']);
    await joins(ann, await desk.app.developer(), organization, ['MEMBER']);
    stored = await ann.createsOrganization('Stored');
    await ann.changesPlan(stored, 'business');
    await putByosa(ann, stored, { s3: s3Settings(store.proxy.bucket()) }).expect(200);
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
  afterAll(async () => {
    await desk?.stop();
    await store?.stop();
  });

  const inProject = (screen: string, of = project): string => `/o/${organization.id}/p/${of.id}${screen}`;
  const inOrganization = (screen: string): string => `/o/${organization.id}${screen}`;

  describe.each(LANGUAGES)('in %s', (language) => {
    let t: Awaited<ReturnType<typeof readTexts>>;
    beforeAll(async () => {
      t = await readTexts(language);
    });

    /** Expects no finding of axe in the open overlay. */
    const expectOpenAccessible = async (visit: Visit, name: string): Promise<void> => {
      await visit.page.locator(OPEN).first().waitFor();
      await visit.expectAccessible(name, { looks: looksIn(language), within: OPEN, painted: false });
      await visit.resize(1280, 'light');
    };
    /** Then closes it. */
    const expectAccessible = async (visit: Visit, name: string): Promise<void> => {
      await expectOpenAccessible(visit, name);
      await visit.page.keyboard.press('Escape');
      await visit.page.locator(OPEN).first().waitFor({ state: 'hidden' });
    };
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
        const token = visit.page.getByRole('main').getByRole('row').nth(1);
        await expectMenu(visit, token.getByRole('button').first(), ['tokens.rotate', 'tokens.revoke']);
      }
      await desk.go(visit, inProject('/access'));
      const member = button(visit.page, 'access.actions', bob.email);
      await expectMenu(visit, member, ['access.change', 'access.removeConfirm']);
    });

    it('are accessible on the screens of the organization', async () => {
      const visit = await open(inOrganization('/members'));
      const member = button(visit.page, 'members.actions', bob.email);
      await expectMenu(visit, member, ['members.change', 'members.remove']);
      const invitation = button(visit.page, 'members.invitations.menu', 'eve@example.com');
      await expectMenu(visit, invitation, ['members.invitations.withdraw']);
      await desk.go(visit, inOrganization('/settings'));
      await expectDialog(visit, 'settings.export.start');
      await desk.go(visit, inProject('/settings', empty));
      await expectDialog(visit, 'settings.deleteProject.button');
      await desk.go(visit, inOrganization('/audit'));
      await visit.page.getByRole('table').getByRole('row').nth(1).getByRole('button').first().click();
      await expectAccessible(visit, 'an event');
      await expectMenu(visit, button(visit.page, 'audit.exportDay'), []);
    });

    it('are accessible on the screens of the account', async () => {
      const visit = await open('/account');
      await expectDialog(visit, 'account.email.change');
      await expectDialog(visit, 'account.passwordCard.change');
      await desk.go(visit, '/account/security');
      await expectDialog(visit, 'account.security.mfa.setUp');
    });

    it('are accessible behind "More" on a phone', async () => {
      const visit = await open(inProject('/builds'));
      await visit.resize(390, 'light');
      await button(visit.page, 'frame.more').click();
      await expectAccessible(visit, 'More');
    });

    it('are accessible when they show a secret once', async () => {
      const visit = await open(inProject('/tokens?new=1'));
      const { page } = visit;
      await page.getByLabel(t('tokens.name'), { exact: true }).fill(`CI ${language}`);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: t('tokens.secret.title'), exact: true }).waitFor();
      await expectOpenAccessible(visit, 'the token');
      await page.getByRole('checkbox', { name: t('tokens.secret.kept'), exact: true }).check();
      await button(page, 'tokens.secret.done').click();
      await page.locator(OPEN).waitFor({ state: 'detached' });
    });

    it('are accessible when two-factor login is turned on and off', async () => {
      const max = await desk.app.developer();
      const visit = await desk.open(max, '/account/security', { language });
      const { page } = visit;
      const mfa = (name: string): string => t(`account.security.mfa.${name}`);
      await button(page, 'account.security.mfa.setUp').click();
      await page.getByLabel(t('account.password'), { exact: true }).fill(max.password);
      await page.keyboard.press('Enter');
      const codes = page.getByRole('list', { name: mfa('codes'), exact: true }).getByRole('listitem');
      const code = await codes.first().textContent();
      await expectOpenAccessible(visit, 'recovery codes');
      await page.getByRole('checkbox', { name: mfa('kept'), exact: true }).check();
      await button(page, 'account.security.mfa.next').click();
      const secret = await page.getByLabel(mfa('secret'), { exact: true }).inputValue();
      await expectOpenAccessible(visit, 'the secret');
      await page.getByLabel(mfa('code'), { exact: true }).fill(await generate({ secret }));
      await page.keyboard.press('Enter');
      await page.waitForURL('**/login?*');
      const { email, password } = max;
      const data = { email, password, mfa_code: code };
      const response = await page.context().request.post(`${desk.app.address}/api/v1/login/email`, { data });
      expect(response.status()).toBe(200);
      await desk.go(visit, '/account/security');
      await expectDialog(visit, 'account.security.mfa.turnOff');
      visit.problems.length = 0;
    });

    it('are accessible when they ask for confirmation before a deletion or revocation', async () => {
      const visit = await open(inProject('/builds'));
      await visit.page.getByRole('checkbox', { name: t('builds.selectAll'), exact: true }).check();
      const selection = visit.page.getByRole('region', { name: t('builds.selection'), exact: true });
      await selection.getByRole('button', { name: /2 / }).click();
      await expectAccessible(visit, 'delete several builds');
      await desk.go(visit, `/o/${stored.id}/storage`);
      await expectDialog(visit, 'storage.stop');
      await desk.go(visit, `/o/${stored.id}/settings`);
      await expectDialog(visit, 'settings.deleteOrganization.button');
      await desk.go(visit, '/account/security');
      await expectDialog(visit, 'account.security.sessions.endOthers');
    });

    it('are accessible when a member leaves', async () => {
      const visit = await desk.open(bob, inOrganization('/settings'), { language });
      await expectDialog(visit, 'settings.leave.button');
      await desk.go(visit, inOrganization('/members'));
      await expectMenu(visit, button(visit.page, 'members.actions', bob.email), ['members.leave']);
      await desk.go(visit, '/account/data');
      await expectDialog(visit, 'account.data.delete.button');
    });
  });
});
