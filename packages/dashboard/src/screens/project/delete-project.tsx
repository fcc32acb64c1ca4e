import { type ProjectResponse } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletionCard } from '../../parts/deletion-card';
import { LEAVING } from '../../queries/changes';
import { keyOf } from '../../queries/keys';
import { projectSummaryQuery } from '../../queries/organization/projects';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** Deletes a project that has no builds and no channels, after the developer has typed its name. */
export function DeleteProject({ project }: { project: ProjectResponse }) {
  const words = useWords().settings.deleteProject;
  const format = useFormat();
  const { organizationId, projectId, scope } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { data: summary } = useQuery(projectSummaryQuery(scope));
  const deletion = useDeletion(project.name);
  const { builds = 0, channels = 0 } = summary?.counts ?? {};
  const isEmpty = builds + channels === 0;
  const reason = may('DELETE /projects/{project_id}') ?? (isEmpty ? undefined : words.notEmpty);
  return (
    <DeletionCard words={words} name={project.name} disabledReason={reason} deletion={deletion}>
      {!isEmpty && (
        <p className="soft">
          {words.contains(format.plural(builds, words.builds), format.plural(channels, words.channels))}
        </p>
      )}
    </DeletionCard>
  );
}

function useDeletion(name: string) {
  const words = useWords().settings.deleteProject;
  const { organizationId, projectId } = useProjectPlace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  return useMutation({
    mutationKey: LEAVING,
    mutationFn: () =>
      api.request('DELETE /projects/{project_id}', {
        path: { project_id: projectId },
        query: { organization_id: organizationId },
      }),
    onSuccess: async () => {
      toast(words.done(name), { tone: 'success' });
      // The screens of the project are left before its data is removed. Otherwise they would request deleted objects.
      // What was typed about a deleted project is not worth a question.
      await navigate({ to: '/o/$org', params: { org: organizationId }, ignoreBlocker: true });
      await queryClient.invalidateQueries({ queryKey: keyOf('projects', organizationId) });
    },
  });
}
