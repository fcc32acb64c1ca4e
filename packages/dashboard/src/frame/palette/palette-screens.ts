import { useQuery } from '@tanstack/react-query';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { serviceQuery, useOrganizations } from '../../queries/account/session';
import { projectQuery } from '../../queries/organization/projects';
import { type IconName } from '../../ui';
import { useWords } from '../../words/words-provider';
import { GO_TO } from '../keys/shortcuts';
import { organizationItems, projectItems } from '../navigation/places';
import { usePlace } from '../use-place';
import { type FindableItem } from './palette-match';

/** Other names of screens in both languages, by the last part of their address. */
const KEYWORDS: Readonly<Record<string, string>> = {
  access: 'access roles permissions zugriff rollen rechte',
  agents: 'agents agenten mcp claude codex ki',
  audit: 'log history verlauf protokoll',
  billing: 'billing usage plan invoice credit cost abrechnung rechnung tarif guthaben kosten',
  branding: 'branding logo colour erscheinungsbild farbe',
  channels: 'channels release beta kanal freigabe',
  compare: 'compare difference vergleichen unterschied',
  data: 'export daten',
  devices: 'devices udid iphone geräte',
  import: 'import csv',
  members: 'members team people invite roles mitglieder personen einladen rollen',
  retention: 'retention delete old aufbewahrung alte löschen',
  security: 'security password two-factor 2fa sessions sicherheit passwort sitzungen',
  settings: 'settings einstellungen name language delete löschen sprache',
  storage: 'storage s3 azure bucket speicher eigener',
  testers: 'people subscribers personen abonnenten',
  tokens: 'tokens keys ci secrets schlüssel',
  trash: 'trash bin deleted restore papierkorb gelöscht wiederherstellen',
  webhooks: 'slack teams discord events ereignisse',
};

/** The screens that the navigation does not have. They are shown when something is typed. */
const OF_PROJECT = {
  compare: 'swap',
  devices: 'phone',
  'testers/import': 'users',
  trash: 'trash',
  'settings/retention': 'clock',
  'settings/webhooks': 'link',
  'settings/agents': 'code',
} as const;
const OF_ORGANIZATION = { 'settings/branding': 'sun', 'settings/webhooks': 'link' } as const;
const OF_ACCOUNT = { security: 'shield', tokens: 'key', data: 'download' } as const;

const lastOf = (path: string): string => path.split('/').at(-1) ?? '';
const keywordsOf = (path: string): string | undefined => KEYWORDS[lastOf(path)];
const entriesOf = <Name extends string>(screens: Readonly<Record<Name, IconName>>) =>
  Object.entries(screens) as [Name, IconName][];

/** The screens of the current project and organization, the other organizations and the account. Some only when something is typed. */
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
  const typed = useTypedScreens(data?.name, organization?.name);
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
    keywords: 'account profile konto profil',
    label: words.account,
    icon: 'user',
    onSelect: () => void navigate({ to: '/account' }),
  };
  const listed = [...ofProject, ...ofOrganization, ...others, account];
  return query === '' ? listed.filter(({ id }) => id !== shown) : [...listed, ...typed];
}

/** The screens that the navigation does not have. */
function useTypedScreens(projectName?: string, organizationName?: string): readonly FindableItem[] {
  const { frame, palette } = useWords();
  const navigate = useNavigate();
  const { organizationId: org, projectId: project } = usePlace();
  const { data: service } = useQuery(serviceQuery);
  const more = (id: string, icon: IconName, onSelect: () => void, detail?: string): FindableItem => ({
    id,
    label: palette.more[lastOf(id) as keyof typeof palette.more],
    detail,
    icon,
    keywords: keywordsOf(id),
    onSelect,
  });
  return [
    ...(org === undefined || project === undefined ? [] : entriesOf(OF_PROJECT))
      .filter(([name]) => name !== 'settings/agents' || service?.mcp === 'on')
      .map(([name, icon]) => {
        const to = `/o/$org/p/$project/${name}` as const;
        return more(
          to,
          icon,
          () => void navigate({ to, params: { org: org ?? '', project: project ?? '' } }),
          projectName,
        );
      }),
    ...(org === undefined ? [] : entriesOf(OF_ORGANIZATION)).map(([name, icon]) => {
      const to = `/o/$org/${name}` as const;
      return more(to, icon, () => void navigate({ to, params: { org: org ?? '' } }), organizationName);
    }),
    ...entriesOf(OF_ACCOUNT).map(([name, icon]) => {
      const to = `/account/${name}` as const;
      return more(to, icon, () => void navigate({ to }), frame.account);
    }),
  ];
}

/** "G B" for the screen of builds. */
function shortcutTo(path: string): string | undefined {
  const last = path === '/o/$org/p/$project' ? 'overview' : lastOf(path);
  const key = Object.entries(GO_TO).find(([, screen]) => screen === last)?.[0];
  return key && `G ${key.toUpperCase()}`;
}
