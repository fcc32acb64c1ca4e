import { detectDevice } from '#kernel/builds/device';
import { messagesFor } from '#infra/pages/messages/messages';
import { type InstallBuild } from './card/install-build';
import { type DeviceInclusion, deviceInclusion, type VisitingDevice } from './device-inclusion';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15';
const SLACK = `${IPHONE} Slack/24.1`;
const BUILD = { id: 'b', version: '1.4.0', signing: 'ad_hoc', notInstallable: null } as InstallBuild;

const answer = (
  build: Partial<InstallBuild> = {},
  {
    agent = IPHONE,
    known = null,
    isTester = false,
  }: { agent?: string; known?: VisitingDevice | null; isTester?: boolean } = {},
): DeviceInclusion | null =>
  deviceInclusion(
    { ...BUILD, ...build },
    { device: detectDevice(agent), known, devicePath: '/install/t/device', isTester, messages: messagesFor('en') },
  );

describe('deviceInclusion', () => {
  it('asks an unknown device to register', () => {
    expect(answer()).toMatchObject({ state: 'unknown', touchMac: null, link: { href: '/install/t/device' } });
  });

  it.each([
    ['includes the device', ['b'], 'included'],
    ['leaves the device out', ['another'], 'missing'],
  ])('says that a build %s', (_, ids, state) => {
    expect(answer({}, { known: { includedIn: new Set(ids), isMailed: true } })).toMatchObject({ state, link: null });
  });

  // red when: no page leads testers to the names of their devices
  it.each([[['b']], [['another']]])('leads testers to their devices', (ids) => {
    const known = { includedIn: new Set(ids), isMailed: true };
    expect(answer({}, { known, isTester: true })?.link).toEqual({ href: '/install/t/device', label: 'Your devices' });
  });

  it('leaves it to the script of the page whether a Mac is an iPad', () => {
    expect(answer({}, { agent: MAC })).toMatchObject({ state: 'unknown', touchMac: 'yes' });
  });

  // red when: one of the conditions is removed
  it.each([
    ['a build for everyone', { signing: 'enterprise' as const }, IPHONE],
    ['a build of another platform', { signing: null }, IPHONE],
    ['a build that cannot be installed', { notInstallable: { code: 'x', message: 'x' } }, IPHONE],
    ['a browser that loads no profiles', {}, SLACK],
    ['another device', {}, 'Mozilla/5.0 (Linux; Android 10; K) Chrome/137.0.0.0'],
  ])('is silent for %s', (_, build, agent) => expect(answer(build, { agent })).toBeNull());
});
