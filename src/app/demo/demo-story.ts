/** The history of the demo organization in the last two weeks, so that every screen has content. */

/** The artifact of a build. `ios` and `android` are real packages; the other names are files that are not inspected. */
export type DemoFile = 'ios' | 'android' | `${string}.${'dmg' | 'msi' | 'AppImage'}`;

export interface DemoBuild {
  readonly daysAgo: number;
  readonly file: DemoFile;
  readonly version: string;
  readonly number: string;
  readonly branch: string;
  readonly notes?: string;
  /** The subjects of the commits since the build before it, newest first. */
  readonly commits?: readonly string[];
  readonly pullRequest?: { readonly number: number; readonly title: string };
  /** Names of the channels that the build was promoted to. */
  readonly channels?: readonly string[];
}

/** A tester and their history. */
export interface DemoTester {
  readonly email: string;
  readonly name: string | null;
  readonly device: 'iphone' | 'ipad' | 'android' | 'mac' | 'windows' | 'linux';
  readonly channels: readonly string[];
  readonly state: 'added' | 'invited' | 'opened' | 'tested' | 'left';
  /** The number of the newest build that the tester installed. */
  readonly has?: string;
}

export interface DemoProject {
  readonly name: string;
  readonly channels: readonly string[];
  readonly builds: readonly DemoBuild[];
  readonly testers: readonly DemoTester[];
}

/** The domain is reserved (RFC 2606), so no mail reaches a person. */
const at = (name: string): string => `${name}@agate.example`;

const ROCKET: DemoProject = {
  name: 'Rocket',
  channels: ['Beta', 'Store'],
  builds: [
    { daysAgo: 13.2, file: 'ios', version: '2.0.7', number: '207', branch: 'main', channels: ['Beta', 'Store'] },
    { daysAgo: 13.1, file: 'android', version: '2.0.7', number: '207', branch: 'main', channels: ['Beta', 'Store'] },
    {
      daysAgo: 10.3,
      file: 'ios',
      version: '2.0.8',
      number: '208',
      branch: 'main',
      notes: 'Maps load twice as fast.',
      commits: ['Load tiles of maps in parallel', 'Keep the last position of a map'],
    },
    {
      daysAgo: 8.4,
      file: 'android',
      version: '2.0.9',
      number: '209',
      branch: 'release/2',
      channels: ['Beta', 'Store'],
    },
    { daysAgo: 8.3, file: 'ios', version: '2.0.9', number: '209', branch: 'release/2', channels: ['Beta', 'Store'] },
    {
      daysAgo: 5.6,
      file: 'android',
      version: '2.1.0',
      number: '210',
      branch: 'feature/login',
      notes: 'An experiment.',
    },
    {
      daysAgo: 2.4,
      file: 'ios',
      version: '2.1.0',
      number: '211',
      branch: 'main',
      notes: 'The new login.\n\n• Sign in with a passkey.\n• The old password still works.',
      commits: ['Sign in with a passkey', 'Keep the password as a second way', 'Update the licences'],
      pullRequest: { number: 57, title: 'The new login' },
      channels: ['Beta'],
    },
    { daysAgo: 0.9, file: 'android', version: '2.1.0', number: '211', branch: 'main', channels: ['Beta'] },
    {
      daysAgo: 0.1,
      file: 'ios',
      version: '2.1.1',
      number: '212',
      branch: 'main',
      notes: 'A fix for iPads.',
      commits: ['Fix the layout of the login on iPads', 'Test the login in landscape'],
      pullRequest: { number: 61, title: 'Login on iPads' },
    },
  ],
  testers: [
    { email: at('tess'), name: 'Tess Nowak', device: 'iphone', channels: ['Beta'], state: 'tested', has: '211' },
    { email: at('bob'), name: 'Bob Meyer', device: 'iphone', channels: ['Beta'], state: 'tested', has: '209' },
    {
      email: at('mia'),
      name: 'Mia Rossi',
      device: 'android',
      channels: ['Beta', 'Store'],
      state: 'tested',
      has: '211',
    },
    { email: at('jun'), name: 'Jun Sato', device: 'android', channels: ['Store'], state: 'tested', has: '209' },
    { email: at('lena'), name: 'Lena Vogt', device: 'ipad', channels: ['Beta'], state: 'tested', has: '207' },
    { email: at('omar'), name: 'Omar Haddad', device: 'iphone', channels: ['Store'], state: 'tested', has: '209' },
    { email: at('ida'), name: null, device: 'android', channels: ['Beta'], state: 'opened' },
    { email: at('kim'), name: 'Kim Berg', device: 'iphone', channels: ['Beta'], state: 'invited' },
    { email: at('noah'), name: null, device: 'android', channels: [], state: 'added' },
    { email: at('eve'), name: 'Eve Martin', device: 'iphone', channels: ['Beta'], state: 'left' },
  ],
};

const ROCKET_DESK: DemoProject = {
  name: 'Rocket Desk',
  channels: ['Nightly'],
  builds: [
    { daysAgo: 6.5, file: 'Rocket-Desk.dmg', version: '1.4.0', number: '88', branch: 'main', channels: ['Nightly'] },
    { daysAgo: 6.4, file: 'Rocket-Desk.msi', version: '1.4.0', number: '88', branch: 'main', channels: ['Nightly'] },
    { daysAgo: 6.3, file: 'Rocket-Desk.AppImage', version: '1.4.0', number: '88', branch: 'main' },
    { daysAgo: 1.2, file: 'Rocket-Desk.dmg', version: '1.4.1', number: '91', branch: 'main', channels: ['Nightly'] },
  ],
  testers: [
    { email: at('mia'), name: 'Mia Rossi', device: 'mac', channels: ['Nightly'], state: 'tested', has: '91' },
    { email: at('paul'), name: 'Paul Weber', device: 'windows', channels: ['Nightly'], state: 'tested', has: '88' },
  ],
};

export const DEMO_PROJECTS: readonly DemoProject[] = [ROCKET, ROCKET_DESK];
