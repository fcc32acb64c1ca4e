import { type Developer, type OrganizationRef, type ProjectRef } from '../../../support/actors/actors';
import { apk } from '../../../support/artifacts/valid-artifacts';
import { Desk } from '../desk';

/** A machine in a local network, without a certificate: browsers do not trust its origin, and lack features there. */
describe('the dashboard at a host name over plain http', () => {
  let desk: Desk;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  beforeAll(async () => {
    desk = await Desk.start({}, 'agate.lan');
    ann = await desk.app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    await ann.uploads(project, { bytes: apk(), fileName: 'rocket.apk' });
  });
  afterEach(() => desk.endVisits());
  afterAll(() => desk?.stop());

  it('logs in and shows every screen without a message in the console', async () => {
    const visit = await desk.visitor();
    const { page } = visit;
    await desk.go(visit, '/');
    await page.getByRole('textbox', { name: 'E-mail address', exact: true }).fill(ann.email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(ann.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Projects', exact: true, level: 1 }).waitFor();
    expect(await page.evaluate('isSecureContext')).toBe(false);
    const place = `/o/${organization.id}`;
    const screens = ['/builds', '/channels', '/testers', '/tokens', '/access', '/settings'];
    const addresses = [
      ...['', ...screens].map((screen) => `${place}/p/${project.id}${screen}`),
      ...['/members', '/audit', '/billing', '/storage', '/settings'].map((screen) => place + screen),
      ...['/account', '/account/security', '/account/tokens', '/account/data'],
    ];
    for (const address of addresses) {
      await desk.go(visit, address);
      expect({ address, problems: visit.problems }).toEqual({ address, problems: [] });
    }
  });
});
