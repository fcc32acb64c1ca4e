import { useQuery } from '@tanstack/react-query';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { useOrganizations } from '../../queries/account/session';
import { projectQuery } from '../../queries/organization/projects';
import { useWords } from '../../words/words-provider';
import { GO_TO } from '../keys/shortcuts';
import { organizationItems, projectItems } from '../navigation/places';
import { usePlace } from '../use-place';
import { type FindableItem } from './palette-match';

/** Other names of screens, by the last part of their address. */
const KEYWORDS: Readonly<Record<string, string>> = {
  access: 'roles permissions rollen rechte',
  audit: 'log history verlauf protokoll',
  billing: 'plan invoice credit cost rechnung tarif guthaben kosten',
  channels: 'release beta kanal freigabe',
  members: 'team people invite roles personen einladen rollen',
  settings: 'settings einstellungen name language delete löschen sprache webhooks slack teams discord agents mcp',
  storage: 's3 azure bucket eigener',
  testers: 'people subscribers personen abonnenten',
  tokens: 'keys ci secrets schlüssel',
};

const keywordsOf = (path: string): string | undefined => KEYWORDS[path.split('/').at(-1) ?? ''];

/** The screens of the current project and organization, the other organizations and the account; the current screen only when it is typed. */
export function usePaletteScreens(query: string): readonly FindableItem[] {
  const words = useWords().frame;
  const navigate = useNavigate();
  const shown = useMatches({ select: (matches) => matches.at(-1)?.fullPath.replace(/\/$/, '') });
  const organizations = useOrganizations();
  const { organizationId: org, projectId: project } = usePlace();
  const { data } = useQuery({
    ...projectQuery({ organization_id: org ?? '', project_id: project ?? '' }),
    enabled: project !== undefined,
  });
  const organization = organizations.find(({ id }) => id === org);
  const ofProject =
    org === undefined || project === undefined
      ? []
      : projectItems(words).map(({ to, label, icon }): FindableItem => ({
          id: to,
          label,
          detail: data?.name,
          icon,
          keywords: keywordsOf(to),
          shortcut: shortcutTo(to),
          onSelect: () => void navigate({ to, params: { org, project } }),
        }));
  const ofOrganization =
    org === undefined
      ? []
      : organizationItems(words).map(({ to, label, icon }): FindableItem => ({
          id: to,
          label,
          detail: organization?.name,
          icon,
          keywords: keywordsOf(to),
          shortcut: to.endsWith('settings') && project !== undefined ? undefined : shortcutTo(to),
          onSelect: () => void navigate({ to, params: { org } }),
        }));
  const others = organizations
    .filter(({ id }) => id !== org)
    .map(({ id, name }): FindableItem => ({
      id,
      label: name,
      detail: words.organization,
      icon: 'arrow-right',
      onSelect: () => void navigate({ to: '/o/$org', params: { org: id } }),
    }));
  const account: FindableItem = {
    id: '/account',
    keywords: 'profile password security two-factor mfa 2fa passwort sicherheit profil',
    label: words.account,
    icon: 'user',
    onSelect: () => void navigate({ to: '/account' }),
  };
  return [...ofProject, ...ofOrganization, ...others, account].filter(({ id }) => query !== '' || id !== shown);
}

/** "G B" for the screen of builds. */
function shortcutTo(path: string): string | undefined {
  const last = path === '/o/$org/p/$project' ? 'overview' : path.split('/').at(-1);
  const key = Object.entries(GO_TO).find(([, screen]) => screen === last)?.[0];
  return key && `G ${key.toUpperCase()}`;
}
