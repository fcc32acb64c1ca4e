import { type ProjectRole } from '@agate/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { nameOf } from '../../parts/members/member-name';
import { putProjectMember } from '../../queries/project/project-members';
import { useProjectPlace } from '../../session/use-project-place';
import { useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The queries that depend on roles in a project. The developer's own role is part of the summary. */
export const ACCESS_QUERIES = ['project-members', 'project-summary', 'projects'];

/** Gives a member a role in the project, and shows a message. */
export function usePutMember(onDone: () => void) {
  const { access: words, roles } = useWords();
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ developerId, role }: { developerId: string; role: ProjectRole }) =>
      putProjectMember(scope, developerId, role),
    onSuccess: async (member) => {
      toast(words.added(nameOf(member), roles[member.role]), { tone: 'success' });
      onDone();
      await Promise.all(ACCESS_QUERIES.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    },
  });
}
