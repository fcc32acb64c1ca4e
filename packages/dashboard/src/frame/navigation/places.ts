import { useMatches } from '@tanstack/react-router';
import { type IconName } from '../../ui';
import { type Words } from '../../words/words';

/** A link of the navigation. `exact`: current only on this address, and not on those below it. */
interface Item {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  readonly exact?: boolean;
  /** The last parts of the addresses of other screens that it stands for. */
  readonly also?: readonly string[];
}

/** Returns what marks an entry whose own link the router does not mark: it stands for the current screen, or leads to what does, as *More*. */
export function useMark(): (...items: readonly Pick<Item, 'to' | 'also'>[]) => 'page' | undefined {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  return (...items) =>
    items.some(({ to, also }) => (also ? also.includes(path.split('/').at(-1) || '-') : path.startsWith(to)))
      ? 'page'
      : undefined;
}

/** The screens of a project, in the order of the navigation. */
export const projectItems = (words: Words['frame']): readonly (Item & { readonly to: ProjectPath })[] => [
  { to: '/o/$org/p/$project', label: words.overview, icon: 'overview', exact: true },
  { to: '/o/$org/p/$project/builds', label: words.builds, icon: 'build', also: ['compare', 'trash'] },
  { to: '/o/$org/p/$project/channels', label: words.channels, icon: 'channel' },
  { to: '/o/$org/p/$project/testers', label: words.testers, icon: 'users', also: ['devices'] },
  { to: '/o/$org/p/$project/tokens', label: words.tokens, icon: 'key' },
  { to: '/o/$org/p/$project/access', label: words.access, icon: 'shield' },
  { to: '/o/$org/p/$project/settings', label: words.projectSettings, icon: 'settings' },
];

/** The screens of an organization, in the order of the navigation. */
export const organizationItems = (words: Words['frame']): readonly (Item & { readonly to: OrganizationPath })[] => [
  { to: '/o/$org', label: words.allProjects, icon: 'list', exact: true },
  { to: '/o/$org/members', label: words.members, icon: 'user' },
  { to: '/o/$org/tokens', label: words.allTokens, icon: 'key' },
  { to: '/o/$org/audit', label: words.audit, icon: 'clock' },
  { to: '/o/$org/billing', label: words.billing, icon: 'card' },
  { to: '/o/$org/storage', label: words.storage, icon: 'storage' },
  { to: '/o/$org/settings', label: words.organizationSettings, icon: 'settings' },
];

type ProjectPath =
  '/o/$org/p/$project' | `/o/$org/p/$project/${'builds' | 'channels' | 'testers' | 'tokens' | 'access' | 'settings'}`;
type OrganizationPath = '/o/$org' | `/o/$org/${'members' | 'tokens' | 'audit' | 'billing' | 'storage' | 'settings'}`;
