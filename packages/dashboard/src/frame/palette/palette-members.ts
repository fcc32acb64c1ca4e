import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { memberChoicesQuery } from '../../queries/organization/members';
import { useMay } from '../../session/use-may';
import { usePlace } from '../use-place';
import { type FindableItem } from './palette-match';

/** The members of the organization by name and address. They are requested once something is typed. */
export function usePaletteMembers(query: string): {
  readonly items: readonly FindableItem[];
  readonly isLoading: boolean;
} {
  const navigate = useNavigate();
  const { organizationId: org = '' } = usePlace();
  const may = useMay({ organizationId: org });
  const isAllowed = may('GET /organizations/{organization_id}/members') === undefined;
  const { data = [], isLoading } = useQuery({
    ...memberChoicesQuery(org),
    enabled: query !== '' && org !== '' && isAllowed,
  });
  const items = data.map(({ developer_id: id, name, email }): FindableItem => ({
    id,
    label: name ?? email,
    detail: name === null ? undefined : email,
    icon: 'user',
    onSelect: () => void navigate({ to: '/o/$org/members', params: { org } }),
  }));
  return { items, isLoading };
}
