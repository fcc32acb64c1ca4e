import { type Route } from '@agate/client';
import { useNavigate, useParams } from '@tanstack/react-router';
import { currentTheme, keepTheme } from '../../session/choices/theme';
import { logOut } from '../../session/log-out';
import { useMay } from '../../session/use-may';
import { useToast, writeClipboard } from '../../ui';
import { useTexts } from '../../words/words-provider';
import { usePlace } from '../use-place';
import { curlOf } from './curl';
import { type FindableItem } from './palette-match';

interface Handlers {
  readonly onUpload: () => void;
  readonly onHelp: () => void;
}

/** The actions that every screen offers. */
export function usePaletteActs({ onUpload, onHelp }: Handlers): readonly FindableItem[] {
  const { words, language, changeLanguage } = useTexts();
  const toast = useToast();
  const inProject = useProjectActs(onUpload);
  const inOrganization = useOrganizationActs();
  const other = language === 'de' ? 'en' : 'de';
  const copyCurl = async (): Promise<void> => {
    const copied = await writeClipboard(curlOf(location.origin, location.pathname));
    toast(copied ? words.ui.copied : words.ui.copyFailed, { tone: copied ? 'success' : 'problem' });
  };
  return [
    ...inProject,
    ...inOrganization,
    {
      id: 'theme',
      keywords: 'dark light mode colours appearance dunkel hell farben darstellung',
      label: words.palette.switchTheme,
      icon: isDark() ? 'sun' : 'moon',
      onSelect: () => keepTheme(isDark() ? 'light' : 'dark'),
    },
    {
      id: 'language',
      keywords: 'language sprache english deutsch german englisch',
      label: words.frame.languages[other],
      icon: 'globe',
      onSelect: () => void changeLanguage(other),
    },
    {
      id: 'curl',
      keywords: 'api request terminal anfrage',
      label: words.palette.copyAsCurl,
      icon: 'code',
      onSelect: () => void copyCurl(),
    },
    {
      id: 'keys',
      keywords: 'keyboard help hotkeys hilfe tastatur',
      label: words.palette.shortcuts.heading,
      icon: 'info',
      shortcut: '?',
      onSelect: onHelp,
    },
    {
      id: 'out',
      keywords: 'log sign out logout exit ausloggen beenden',
      label: words.frame.logOut,
      icon: 'logout',
      onSelect: () => void logOut(),
    },
  ];
}

const isDark = (): boolean => {
  const theme = currentTheme();
  return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
};

/** Returns the function that shows an action, or the reason why the role does not permit it, which is announced when it is chosen. */
function useAct(may: (route: Route) => string | undefined): (route: Route, item: FindableItem) => FindableItem {
  const toast = useToast();
  return (route, item) => {
    const reason = may(route);
    if (reason === undefined) return item;
    return { ...item, detail: reason, onSelect: () => toast(reason, { tone: 'problem' }) };
  };
}

/** The actions of the current organization. */
function useOrganizationActs(): readonly FindableItem[] {
  const { palette } = useTexts().words;
  const navigate = useNavigate();
  const { organizationId: org } = usePlace();
  const act = useAct(useMay({ organizationId: org ?? '' }));
  if (org === undefined) return [];
  return [
    act('POST /organizations/{organization_id}/invitations', {
      id: 'invite-member',
      keywords: 'member invite add person team colleague role mitglied einladen rolle',
      label: palette.inviteMember,
      icon: 'user',
      onSelect: () => void navigate({ to: '/o/$org/members', params: { org }, search: { invite: 'member' } }),
    }),
    act('POST /projects', {
      id: 'new-project',
      keywords: 'project app create projekt anlegen',
      label: palette.newProject,
      icon: 'plus',
      onSelect: () => void navigate({ to: '/o/$org', params: { org }, search: { create: '1' } }),
    }),
  ];
}

/** The actions of the current project. */
function useProjectActs(onUpload: () => void): readonly FindableItem[] {
  const { words } = useTexts();
  const navigate = useNavigate();
  const promote = usePromote();
  const { organizationId: org = '', projectId: project } = usePlace();
  const act = useAct(useMay({ organizationId: org, projectId: project }));
  if (project === undefined) return [];
  const params = { org, project };
  return [
    act('POST /builds/uploads', {
      id: 'upload',
      keywords: 'upload ipa apk file hochladen datei',
      label: words.frame.uploadBuild,
      icon: 'upload',
      shortcut: 'U',
      onSelect: onUpload,
    }),
    act('POST /releases', {
      id: 'promote',
      keywords: 'promote release ship publish freigabe veröffentlichen',
      label: words.palette.promote,
      icon: 'promote',
      onSelect: promote,
    }),
    act('POST /channels', {
      id: 'new-channel',
      keywords: 'channel create kanal anlegen',
      label: words.palette.newChannel,
      icon: 'plus',
      onSelect: () => void navigate({ to: '/o/$org/p/$project/channels', params, search: { create: '1' } }),
    }),
    act('POST /testers/batch', {
      id: 'add-testers',
      keywords: 'testers invite people hinzufügen einladen personen',
      label: words.palette.addTesters,
      icon: 'users',
      onSelect: () => void navigate({ to: '/o/$org/p/$project/testers', params, search: { add: '1' } }),
    }),
    act('POST /builds/delete', {
      id: 'delete-old',
      keywords: 'delete old clean löschen aufräumen',
      label: words.palette.deleteOld,
      icon: 'trash',
      onSelect: () => void navigate({ to: '/o/$org/p/$project/builds', params, search: { delete: '1' } }),
    }),
    act('POST /project-access-tokens', {
      id: 'new-token',
      keywords: 'token key ci secret create schlüssel anlegen',
      label: words.palette.newToken,
      icon: 'key',
      onSelect: () => void navigate({ to: '/o/$org/p/$project/tokens', params, search: { new: 'token' } }),
    }),
  ];
}

/** Promotes the current build, or a build to the current channel. On other screens, opens the builds to choose one. */
function usePromote(): () => void {
  const navigate = useNavigate();
  const { org = '', project = '', build, channel } = useParams({ strict: false });
  const params = { org, project };
  const search = { promote: '1' };
  return () => {
    if (build !== undefined)
      void navigate({ to: '/o/$org/p/$project/builds/$build', params: { ...params, build }, search });
    else if (channel !== undefined)
      void navigate({ to: '/o/$org/p/$project/channels/$channel', params: { ...params, channel }, search });
    else void navigate({ to: '/o/$org/p/$project/builds', params });
  };
}
