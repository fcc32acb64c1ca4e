import { type ProjectRole } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { nameOf } from '../../parts/members/member-name';
import { useChanged } from '../../queries/changes';
import { putProjectMember } from '../../queries/project/project-members';
import { useProjectPlace } from '../../session/use-project-place';
import { useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Gives a member a role in the project, and shows a message. */
export function usePutMember(onDone: () => void) {
  const { access: words, roles } = useWords();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ developerId, role }: { developerId: string; role: ProjectRole }) =>
      putProjectMember(scope, developerId, role),
    onSuccess: async (member) => {
      toast(words.added(nameOf(member), roles[member.role]), { tone: 'success' });
      onDone();
      await changed({ type: 'project_member.changed' });
    },
  });
}
