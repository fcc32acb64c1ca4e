import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useOrganizations } from '../../queries/account/session';
import { projectQuery } from '../../queries/organization/projects';
import { type PaletteItem } from '../../ui';
import { useWords } from '../../words/words-provider';
import { GO_TO } from '../keys/shortcuts';
import { organizationItems, projectItems } from '../navigation/places';
import { usePlace } from '../use-place';

/** The screens of the current project and organization, the other organizations and the account. */
export function usePaletteScreens(): readonly PaletteItem[] {
  const words = useWords().frame;
  const navigate = useNavigate();
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
      : projectItems(words).map(({ to, label }): PaletteItem => ({
          id: to,
          label,
          detail: data?.name,
          icon: 'arrow-right',
          shortcut: shortcutTo(to),
          onSelect: () => void navigate({ to, params: { org, project } }),
        }));
  const ofOrganization =
    org === undefined
      ? []
      : organizationItems(words).map(({ to, label }): PaletteItem => ({
          id: to,
          label,
          detail: organization?.name,
          icon: 'arrow-right',
          shortcut: to.endsWith('settings') && project !== undefined ? undefined : shortcutTo(to),
          onSelect: () => void navigate({ to, params: { org } }),
        }));
  const others = organizations
    .filter(({ id }) => id !== org)
    .map(({ id, name }): PaletteItem => ({
      id,
      label: name,
      detail: words.organization,
      icon: 'arrow-right',
      onSelect: () => void navigate({ to: '/o/$org', params: { org: id } }),
    }));
  const account: PaletteItem = {
    id: '/account',
    label: words.account,
    icon: 'arrow-right',
    onSelect: () => void navigate({ to: '/account' }),
  };
  return [...ofProject, ...ofOrganization, ...others, account];
}

/** "G B" for the screen of builds. */
function shortcutTo(path: string): string | undefined {
  const last = path === '/o/$org/p/$project' ? 'overview' : path.split('/').at(-1);
  const key = Object.entries(GO_TO).find(([, screen]) => screen === last)?.[0];
  return key && `G ${key.toUpperCase()}`;
}
