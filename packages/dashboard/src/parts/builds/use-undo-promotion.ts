import { ApiError } from '@agate/client';
import { useChanged } from '../../queries/changes';
import { versionOf } from '../../queries/project/builds';
import { type Release, undoPromotion } from '../../queries/project/releases';
import { useProjectPlace } from '../../session/use-project-place';
import { useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The time in which "Undo" is offered: a little less than the minute that the service allows. */
export const UNDO_MS = 55_000;

/** Returns a function that takes a promotion back and says what is current then. */
export function useUndoPromotion(): (release: Release, channelName: string) => Promise<void> {
  const words = useWords().promotion;
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  return async (release, channelName) => {
    const version = versionOf(release.build);
    try {
      const { current } = await undoPromotion(scope, release);
      toast(
        current
          ? words.undone(version, channelName, versionOf(current.build))
          : words.undoneFirst(version, channelName),
        { tone: 'success' },
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(words.undoFailed[error.reason ?? ''] ?? error.message, { tone: 'problem' });
    }
    await changed({ type: 'release.undone', channel_id: release.channel_id });
  };
}
