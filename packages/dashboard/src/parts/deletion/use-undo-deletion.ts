import { useChanged } from '../../queries/changes';
import { restoreBuilds } from '../../queries/project/trash';
import { useProjectPlace } from '../../session/use-project-place';
import { useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** The time in which "Undo" is offered. The trash offers it for seven days. */
const UNDO_MS = 20_000;

/** Returns a function that says that builds were deleted, and offers to restore them. */
export function useUndoDeletion(): (text: string, buildIds: readonly string[]) => void {
  const words = useWords().builds;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const undo = async (ids: readonly string[]): Promise<void> => {
    try {
      toast(format.plural(await restoreBuilds(scope, ids), words.restored));
    } catch (error) {
      toast((error as Error).message, { tone: 'problem' });
    }
    await changed(...ids.map((id) => ({ type: 'build.restored', project_id: scope.project_id, build_id: id })));
  };
  return (text, ids) => toast(text, { action: { label: words.undo, onClick: () => void undo(ids) }, shownMs: UNDO_MS });
}
