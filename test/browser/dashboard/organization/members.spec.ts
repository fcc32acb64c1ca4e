import { type Page } from 'playwright-core';
import { type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { Desk, table } from '../desk';
import { gives, joins } from '../joins';

describe('members in the dashboard', () => {
  let desk: Desk;
  let ann: Developer;
  beforeAll(async () => {
    desk = await Desk.start();
    ann = await desk.app.developer();
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk.stop());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
  const status = (page: Page, text: string) =>
    page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${text}$`) })
      .waitFor();

  /** The entry of the menu in the row that has this text. Opens the menu. */
  async function entryOf(page: Page, text: string, name: string) {
    await rowOf(page, text)
      .getByRole('button', { name: /^Actions for / })
      .click();
    const entry = page.getByRole('menuitem', { name, exact: true });
    await entry.waitFor();
    return entry;
  }

  /** The reason that a disabled control shows and reads. */
  async function reasonOf(page: Page, control: ReturnType<typeof button>): Promise<string> {
    expect(await control.getAttribute('aria-disabled')).toBe('true');
    const ids = ((await control.getAttribute('aria-describedby')) ?? '').split(' ');
    return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))).join(' ');
  }

  describe('of an organization', () => {
    let organization: OrganizationRef;
    let address: string;
    beforeEach(async () => {
      organization = await ann.createsOrganization('Acme');
      address = `/o/${organization.id}/members`;
    });

    it('are invited, several together, by the keyboard, and an invitation is withdrawn', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, organization, ['READ']);
      const visit = await desk.open(ann, address);
      const { page } = visit;
      await status(page, '2 members');
      expect(await page.title()).toBe('Members · Acme · Agate');
      await page.getByText('No open invitations', { exact: true }).waitFor();
      // red when: the meanings of the roles fill the screen before a reader opens them
      const meaning = page.getByText('Sees every project, changes nothing.', { exact: true });
      expect(await meaning.isVisible()).toBe(false);
      await page.getByText('What the roles mean', { exact: true }).click();
      await meaning.waitFor();
      await page.getByText('What the roles mean', { exact: true }).click();

      await button(page, 'Invite member').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Invite member', exact: true });
      const addresses = dialog.getByRole('textbox', { name: 'E-mail address', exact: true });
      await addresses.waitFor();
      await page.keyboard.type(`kim@example.com, ${bob.email} lee@example.com`);
      await dialog
        .getByRole('radiogroup', { name: 'Access to projects', exact: true })
        .getByRole('radio', { name: 'Read', exact: true })
        .check();
      await dialog.getByRole('checkbox', { name: 'Auditor', exact: true }).check();
      await desk.expectAccessible(visit, 'members-invite');
      await addresses.press('Enter');
      await dialog.getByText(/belongs to a member/).waitFor();
      expect(await addresses.inputValue()).toBe(bob.email);
      visit.problems.length = 0;
      await button(page, 'Cancel').click();

      await status(page, 'Invitation sent to kim@example.com and lee@example.com.');
      await status(page, '2 invitations');
      const invitations = table(page, 'Open invitations');
      await invitations.getByText('kim@example.com', { exact: true }).waitFor();
      await invitations.getByText('Auditor', { exact: true }).first().waitFor();
      expect((await desk.app.mailbox.link('lee@example.com')).href).toContain('invitations');
      await button(page, 'Dismiss').click();
      await desk.expectAccessible(visit, 'members');

      await (await entryOf(page, 'lee@example.com', 'Withdraw invitation')).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw invitation', exact: true }).click();
      await status(page, '1 invitation');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    });

    // red when: there is no way to send a mail again that was lost, other than to invite and choose the roles again
    it('are sent their invitation again, with its roles', async () => {
      const email = 'max@example.com';
      await ann.post(`/organizations/${organization.id}/invitations`, { email, roles: ['BILLING'] }).expect(201);
      const { page } = await desk.open(ann, address);
      const first = await desk.app.mailbox.link(email);
      await (await entryOf(page, email, 'Send again')).click();
      await status(page, `Invitation sent to ${email}.`);
      expect((await desk.app.mailbox.link(email, 2)).href).not.toBe(first.href);
      await rowOf(page, email).getByText('Billing', { exact: true }).waitFor();
    });

    it('get other roles, but the last Admin keeps theirs and stays', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, organization, ['MEMBER']);
      const visit = await desk.open(ann, address);
      const { page } = visit;
      const own = await entryOf(page, ann.email, 'Leave organization');
      expect(await reasonOf(page, own)).toContain('You are the last Admin.');
      await page.keyboard.press('Escape');
      await (await entryOf(page, ann.email, 'Change roles')).click();
      const access = (name: string) => page.getByRole('radio', { name, exact: true });
      expect(await access('Admin').isChecked()).toBe(true);
      expect(await reasonOf(page, access('Member'))).toContain('An organization needs an Admin.');
      await button(page, 'Cancel').click();

      await (await entryOf(page, bob.email, 'Change roles')).click();
      expect(await access('Member').isChecked()).toBe(true);
      await access('Admin').check();
      await button(page, 'Save roles').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await rowOf(page, bob.email).getByText('Admin', { exact: true }).waitFor();
      await (await entryOf(page, ann.email, 'Leave organization')).click();
      await page
        .getByRole('alertdialog', { name: 'Leave Acme?' })
        .getByRole('button', { name: 'Leave organization' })
        .click();
      await page.waitForURL((url) => !url.pathname.includes(organization.id));
      await ann.get(`/organizations/${organization.id}`).expect(403);
      // The stream may report the change before the page leaves the organization.
      visit.problems.splice(0).forEach((problem) => expect(problem).toContain('403'));
    });

    it('leave tokens whose values they know, which can be revoked immediately', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, organization, ['MANAGER']);
      const project = await ann.createsProject(organization, 'Rocket');
      const token = await bob.createsToken(project);
      const visit = await desk.open(ann, address);
      const { page } = visit;
      await (await entryOf(page, bob.email, 'Remove member')).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove member', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: `${bob.email} may still know tokens`, exact: true });
      await dialog.getByText('Rocket', { exact: true }).waitFor();
      await desk.expectAccessible(visit, 'members-tokens');
      await dialog.getByRole('button', { name: 'Revoke 1 token', exact: true }).click();
      await dialog.getByText('revoked', { exact: true }).waitFor();
      await button(page, 'Done').click();
      await status(page, '1 member');
      await desk.app.ci(token).get('/builds').expect(401);
    });

    // red when: the dialog replaces the entry of the history, so that Back leaves the screen
    it('are invited in a dialog that Back closes', async () => {
      const { page } = await desk.open(ann, address);
      await button(page, 'Invite member').click();
      const dialog = page.getByRole('dialog', { name: 'Invite member', exact: true });
      await dialog.waitFor();
      expect(new URL(page.url()).search).toBe('?invite=member');
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
    });

    // red when: a member of many is found only by reading all pages
    it('are found by name, address and role, which the address keeps', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, organization, ['READ']);
      const visit = await desk.open(ann, `${address}?q=${encodeURIComponent(bob.email.slice(0, 14))}`);
      const { page } = visit;
      await status(page, '1 member');
      await rowOf(page, bob.email).waitFor();
      await desk.expectAccessible(visit, 'members-found');
      await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: 'Billing' });
      await page.getByRole('heading', { name: 'No member matches', exact: true }).waitFor();
      await page.reload();
      await button(page, 'Show all members').click();
      await status(page, '2 members');
    });

    it('see, but cannot change, data that needs the role Admin', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, organization, ['READ']);
      const { page } = await desk.open(bob, address);
      await status(page, '2 members');
      const entries = [await entryOf(page, ann.email, 'Remove member'), page.getByRole('menuitem').first()];
      for (const control of [button(page, 'Invite member'), ...entries]) {
        expect(await reasonOf(page, control)).toContain('Needs the role “Admin”');
      }
    });

    it('speak German', async () => {
      const { page } = await desk.open(ann, address, { language: 'de' });
      await page.getByRole('heading', { level: 1, name: 'Mitglieder', exact: true }).waitFor();
      await button(page, 'Mitglied einladen').waitFor();
    });
  });

  describe('of a project', () => {
    let organization: OrganizationRef;
    let project: ProjectRef;
    let address: string;
    beforeEach(async () => {
      organization = await ann.createsOrganization('Acme');
      project = await ann.createsProject(organization, 'Rocket');
      address = `/o/${organization.id}/p/${project.id}/access`;
    });

    it('are added from the organization, get another role and are removed', async () => {
      const [bob, kim] = [await desk.app.developer(), await desk.app.developer()];
      await joins(ann, bob, organization, ['MEMBER']);
      await joins(ann, kim, organization, ['READ']);
      const visit = await desk.open(ann, address);
      const { page } = visit;
      await status(page, '2 members');
      // red when: the cell of a member without a role of their own is empty
      await rowOf(page, kim.email).getByText('as in the organization', { exact: true }).waitFor();
      await button(page, 'Add member').click();
      const dialog = page.getByRole('dialog', { name: 'Add member', exact: true });
      await dialog.getByRole('combobox', { name: 'Member', exact: true }).selectOption(kim.email);
      await dialog.getByRole('radio', { name: 'Manage releases', exact: true }).check();
      await desk.expectAccessible(visit, 'access-add');
      await dialog.getByRole('button', { name: 'Add member', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await rowOf(page, kim.email).getByText('Manage releases', { exact: true }).waitFor();
      await rowOf(page, kim.email).getByText('View project', { exact: true }).waitFor();
      await button(page, 'Dismiss').click();
      await desk.expectAccessible(visit, 'access');

      await (await entryOf(page, kim.email, 'Change role')).click();
      await page.getByRole('radio', { name: 'Upload builds', exact: true }).check();
      await button(page, 'Save role').click();
      await rowOf(page, kim.email).getByText('Upload builds', { exact: true }).waitFor();
      await (await entryOf(page, kim.email, 'Remove from project')).click();
      await page.getByText('By their organization role they keep the role “View project”.').waitFor();
      await button(page, 'Remove from project').click();
      await rowOf(page, kim.email).getByText('Upload builds', { exact: true }).waitFor({ state: 'detached' });
      await status(page, '2 members');
    });

    it('leads to the invitation when every member has a role already', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, organization, ['MEMBER']);
      await gives(ann, bob, project, 'MANAGE_PROJECT');
      const visit = await desk.open(ann, address);
      const { page } = visit;
      await page.getByRole('link', { name: 'Invite to the organization', exact: true }).waitFor();
      // red when: the button is offered, and its dialog can only refuse
      expect(await button(page, 'Add member').count()).toBe(0);
      await desk.expectAccessible(visit, 'access-nobody-left');
      await page.getByRole('link', { name: 'Invite to the organization', exact: true }).press('Enter');
      await page.getByRole('dialog', { name: 'Invite member', exact: true }).waitFor();

      const ofBob = await desk.open(bob, address);
      const add = button(ofBob.page, 'Add member');
      await add.and(ofBob.page.locator('[aria-disabled="true"]')).waitFor();
      expect(await reasonOf(ofBob.page, add)).toBe('Every member of the organization has a role here already');
    });

    it('shows the list of access, but no changes, to a member who may only view the project', async () => {
      const bob = await desk.app.developer();
      await joins(ann, bob, organization, ['MEMBER']);
      await gives(ann, bob, project, 'VIEW_PROJECT');
      const { page } = await desk.open(bob, address);
      const change = await entryOf(page, bob.email, 'Change role');
      for (const control of [button(page, 'Add member'), change]) {
        expect(await reasonOf(page, control)).toContain('Needs the role “Manage project”');
      }
    });

    it('speak German', async () => {
      const { page } = await desk.open(ann, address, { language: 'de' });
      await page.getByRole('heading', { level: 1, name: 'Zugriff', exact: true }).waitFor();
    });
  });
});
