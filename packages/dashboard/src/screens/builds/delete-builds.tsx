import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useUndoDeletion } from '../../parts/deletion/use-undo-deletion';
import { useChanged } from '../../queries/changes';
import { type Build, deleteBuilds, type Deletion } from '../../queries/project/builds';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, Banner, Button } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './builds.module.css';
import { useNameOf } from './use-name-of';

export interface KeptBuild {
  readonly build: Build;
  /** The channels whose current release keeps the build. Empty for a pinned one. */
  readonly channels: Deletion['channels'];
}

const currentChannels = ({ channels }: Pick<Build, 'channels'>): Deletion['channels'] =>
  channels.filter(({ current }) => current);

interface DeleteBuildsProps {
  readonly builds: readonly Build[];
  readonly onDone: (kept: readonly KeptBuild[]) => void;
}

const isKept = (build: Build): boolean => build.pinned || currentChannels(build).length > 0;

/** The button that deletes the selected builds after a confirmation, which counts those that go. Others are pinned or current in a channel. */
export function DeleteBuilds({ builds, onDone }: DeleteBuildsProps) {
  const words = useWords().builds;
  const format = useFormat();
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  /** The builds that the question is about. Others may change those of the list while it is open. */
  const [asked, setAsked] = useState<readonly Build[]>();
  const going = (asked ?? builds).filter((build) => !isKept(build));
  const deletion = useDeletion((kept) => {
    setAsked(undefined);
    onDone(kept);
  });
  return (
    <>
      <Button
        variant="danger"
        icon="trash"
        disabledReason={may('POST /builds/delete')}
        onClick={() => {
          deletion.reset();
          setAsked(builds);
        }}
      >
        {format.plural(builds.length, words.deleteMany)}
      </Button>
      <AlertDialog
        open={asked !== undefined}
        title={going.length > 0 ? format.plural(going.length, words.deleteManyTitle) : words.deleteNoneTitle}
        confirmLabel={format.plural(going.length, words.deleteMany)}
        busy={deletion.isPending}
        disabledReason={going.length > 0 ? undefined : words.deleteNone}
        error={deletion.error}
        onConfirm={() => deletion.mutate(going)}
        onCancel={() => setAsked(undefined)}
      >
        {going.length > 0 && <p>{format.plural(going.length, words.deleteManyText)}</p>}
        <Staying builds={asked ?? builds} />
      </AlertDialog>
    </>
  );
}

/** Deletes the builds that it is called with: those of the screen may change before the response arrives. */
function useDeletion(onDone: (kept: readonly KeptBuild[]) => void) {
  const words = useWords().builds;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const offerUndo = useUndoDeletion();
  return useMutation({
    mutationFn: (builds: readonly Build[]) =>
      deleteBuilds(
        scope,
        builds.map(({ id }) => id),
      ),
    onSuccess: (deletions, builds) => {
      const gone = deletions.filter(({ outcome }) => outcome === 'deleted').map(({ id }) => id);
      if (gone.length > 0) offerUndo(format.plural(gone.length, words.deleted), gone);
      const kept = new Map(
        deletions.filter(({ outcome }) => outcome === 'current' || outcome === 'pinned').map((one) => [one.id, one]),
      );
      onDone(
        builds.flatMap((build) => {
          const channels = kept.get(build.id)?.channels;
          return channels ? [{ build, channels }] : [];
        }),
      );
    },
    onSettled: (_deletions, _error, builds) =>
      changed(...builds.map(({ id }) => ({ type: 'build.deleted', build_id: id }))),
  });
}

/** The builds that cannot be deleted, as far as the list shows. */
function Staying({ builds }: { builds: readonly Build[] }) {
  const reasonOf = useReason();
  const staying = builds.filter(isKept);
  if (staying.length === 0) return null;
  return (
    <ul className={styles.staying}>
      {staying.map((build) => (
        <li key={build.id}>{reasonOf(build, currentChannels(build))}</li>
      ))}
    </ul>
  );
}

/** Returns a function that says why a build is not deleted. */
function useReason(): (build: Build, channels: Deletion['channels']) => string {
  const words = useWords().builds;
  const format = useFormat();
  const nameOf = useNameOf();
  return (build, channels) =>
    channels.length === 0
      ? words.staysPinned(nameOf(build))
      : words.stays(nameOf(build), format.list(channels.map(({ name }) => name)));
}

interface KeptBuildsProps {
  readonly kept: readonly KeptBuild[];
  readonly onDismiss: () => void;
}

/** The builds that could not be deleted, each with the channels that keep it. */
export function KeptBuilds({ kept, onDismiss }: KeptBuildsProps) {
  const words = useWords();
  const format = useFormat();
  const reasonOf = useReason();
  const { params } = useProjectPlace();
  if (kept.length === 0) return null;
  return (
    <Banner
      tone="warning"
      title={format.plural(kept.length, words.builds.kept)}
      actions={<Button onClick={onDismiss}>{words.ui.dismiss}</Button>}
    >
      <ul className={styles.kept}>
        {kept.map(({ build, channels }) => (
          <li key={build.id}>
            {reasonOf(build, channels)}{' '}
            {channels.map(({ id, name }) => (
              <Link key={id} to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel: id }}>
                {words.builds.openChannel(name)}
              </Link>
            ))}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
