import { type Words } from '../../words/words';

/** A link of the navigation. `exact`: current only on this address, and not on those below it. */
interface Item {
  readonly to: string;
  readonly label: string;
  readonly exact?: boolean;
}

/** The screens of a project, in the order of the navigation. */
export const projectItems = (words: Words['frame']): readonly (Item & { readonly to: ProjectPath })[] => [
  { to: '/o/$org/p/$project', label: words.overview, exact: true },
  { to: '/o/$org/p/$project/builds', label: words.builds },
  { to: '/o/$org/p/$project/channels', label: words.channels },
  { to: '/o/$org/p/$project/testers', label: words.testers },
  { to: '/o/$org/p/$project/tokens', label: words.tokens },
  { to: '/o/$org/p/$project/access', label: words.access },
  { to: '/o/$org/p/$project/settings', label: words.settings },
];

/** The screens of an organization, in the order of the navigation. */
export const organizationItems = (words: Words['frame']): readonly (Item & { readonly to: OrganizationPath })[] => [
  { to: '/o/$org', label: words.projects, exact: true },
  { to: '/o/$org/members', label: words.members },
  { to: '/o/$org/tokens', label: words.tokens },
  { to: '/o/$org/audit', label: words.audit },
  { to: '/o/$org/billing', label: words.billing },
  { to: '/o/$org/storage', label: words.storage },
  { to: '/o/$org/settings', label: words.settings },
];

type ProjectPath =
  '/o/$org/p/$project' | `/o/$org/p/$project/${'builds' | 'channels' | 'testers' | 'tokens' | 'access' | 'settings'}`;
type OrganizationPath = '/o/$org' | `/o/$org/${'members' | 'tokens' | 'audit' | 'billing' | 'storage' | 'settings'}`;
