import { useQuery } from '@tanstack/react-query';
import { deletionEventsQuery } from '../../queries/organization/audit';
import { memberChoicesQuery } from '../../queries/organization/members';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { useWords } from '../../words/words-provider';

interface DeletedBy {
  readonly text: string;
  /** A rule of the project deleted it, not a person or token. */
  readonly isRule: boolean;
}

/** Returns a function that names who deleted a build, from the latest events of the audit feed. Undefined for members who may not read it. */
export function useDeletedBy(): (buildId: string) => DeletedBy | undefined {
  const words = useWords().trash;
  const { organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId })('GET /audit/organization/{organization_id}');
  const { data: events = [] } = useQuery({
    ...deletionEventsQuery(organizationId, projectId),
    enabled: reason === undefined,
  });
  const { data: members } = useQuery({ ...memberChoicesQuery(organizationId), enabled: reason === undefined });
  return (buildId) => {
    const actor = events.find(({ payload }) => payload['build_id'] === buildId)?.actor;
    if (actor === undefined) return undefined;
    if (actor.kind === 'system') return { text: words.byRetention, isRule: true };
    const name = members?.find(({ developer_id: id }) => id === actor.id)?.name ?? actor.label;
    return name === null ? undefined : { text: name, isRule: false };
  };
}
