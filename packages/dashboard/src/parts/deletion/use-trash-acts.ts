import { useMutation } from '@tanstack/react-query';
import { useChanged } from '../../queries/changes';
import { type Build } from '../../queries/project/builds';
import { purgeBuilds, restoreBuilds } from '../../queries/project/trash';
import { useProjectPlace } from '../../session/use-project-place';
import { useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

const idsOf = (builds: readonly Build[]): readonly string[] => builds.map(({ id }) => id);

/** Restores builds. */
export function useRestore(onDone?: () => void) {
  const words = useWords().trash;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  return useMutation({
    mutationFn: (builds: readonly Build[]) => restoreBuilds(scope, idsOf(builds)),
    onSuccess: (restored) => {
      if (restored === 0) toast(words.notRestored, { tone: 'info' });
      else toast(format.plural(restored, words.restored));
      onDone?.();
    },
    onError: (error) => toast(error.message, { tone: 'problem' }),
    onSettled: (_restored, _error, builds) =>
      changed(...builds.map(({ id }) => ({ type: 'build.restored', build_id: id }))),
  });
}

/** Deletes builds and their files now. */
export function usePurge(onDone: () => void) {
  const words = useWords().trash;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  return useMutation({
    mutationFn: (builds: readonly Build[]) => purgeBuilds(scope, idsOf(builds)),
    onSuccess: (purged) => {
      if (purged === 0) toast(words.notRestored, { tone: 'info' });
      else toast(format.plural(purged, words.purged));
      onDone();
    },
    onSettled: (_purged, _error, builds) =>
      changed(...builds.map(({ id }) => ({ type: 'build.purged', build_id: id }))),
  });
}
