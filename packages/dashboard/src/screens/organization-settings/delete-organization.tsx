import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletionCard } from '../../parts/deletion-card';
import { type SessionOrganization, sessionQuery } from '../../queries/account/session';
import { projectsQuery } from '../../queries/organization/projects';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Deletes an organization that has no projects, after the developer has typed its name. */
export function DeleteOrganization({ organization: { id, name } }: { organization: SessionOrganization }) {
  const words = useWords().settings.deleteOrganization;
  const may = useMay({ organizationId: id });
  const { data } = useInfiniteQuery(projectsQuery(id));
  const hasProjects = data?.pages.some(({ items }) => items.length > 0) ?? false;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const deletion = useMutation({
    mutationFn: () => api.request('DELETE /organizations/{organization_id}', { path: { organization_id: id } }),
    onSuccess: async () => {
      toast(words.done(name), { tone: 'success' });
      await queryClient.invalidateQueries(sessionQuery);
      await navigate({ to: '/', ignoreBlocker: true });
    },
  });
  const reason = may('DELETE /organizations/{organization_id}') ?? (hasProjects ? words.hasProjects : undefined);
  return <DeletionCard words={words} name={name} disabledReason={reason} deletion={deletion} />;
}
