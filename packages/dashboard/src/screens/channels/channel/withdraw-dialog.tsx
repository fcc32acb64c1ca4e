import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useChanged } from '../../../queries/changes';
import { versionOf } from '../../../queries/project/builds';
import { newestReleasesQuery, type Release, withdrawRelease } from '../../../queries/project/releases';
import { useProjectPlace } from '../../../session/use-project-place';
import { AlertDialog, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';

/** Asks for confirmation before a release is withdrawn, and names the build that becomes current. */
export function WithdrawDialog({ release, onClose }: { release: Release; onClose: () => void }) {
  const words = useWords().channels;
  const { scope, params } = useProjectPlace();
  const navigate = useNavigate();
  const changed = useChanged();
  const toast = useToast();
  const consequence = useConsequence(release);
  const version = versionOf(release.build);
  const withdrawal = useMutation({
    mutationFn: () => withdrawRelease(scope, release),
    onSuccess: async () => {
      await changed({ type: 'release.withdrawn', channel_id: release.channel_id });
      toast(words.withdrawn(version), {
        tone: 'success',
        action: {
          label: words.promoteAgain,
          onClick: () =>
            void navigate({
              to: '/o/$org/p/$project/channels/$channel',
              params: { ...params, channel: release.channel_id },
              search: { promote: release.build_id },
            }),
        },
      });
      onClose();
    },
  });
  return (
    <AlertDialog
      title={words.withdrawTitle(version)}
      confirmLabel={words.withdraw}
      busy={withdrawal.isPending}
      error={withdrawal.error}
      onConfirm={() => withdrawal.mutate()}
      onCancel={onClose}
    >
      <p>{consequence}</p>
      <p>{words.withdrawStays}</p>
    </AlertDialog>
  );
}

/** The build that becomes current after the withdrawal. Empty while it is unknown. */
function useConsequence(release: Release): string {
  const { builds, channels: words } = useWords();
  const { scope } = useProjectPlace();
  const { data: newest } = useQuery(newestReleasesQuery(scope, release));
  const platform = builds.platforms[release.platform] ?? release.platform;
  if (!newest) return '';
  const [current, before] = newest;
  if (current && current.id !== release.id) return words.withdrawOther(versionOf(current.build), platform);
  return before ? words.withdrawThen(versionOf(before.build), platform) : words.withdrawNone(platform);
}
