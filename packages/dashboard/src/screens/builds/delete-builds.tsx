import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChanged } from '../../queries/changes';
import { type Build, deleteBuilds, type Deletion } from '../../queries/project/builds';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, Banner, Button, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './builds.module.css';
import { useNameOf } from './use-name-of';

export interface KeptBuild {
  readonly build: Build;
  /** The channels whose current release keeps the build. */
  readonly channels: Deletion['channels'];
}

const currentChannels = ({ channels }: Pick<Build, 'channels'>): Deletion['channels'] =>
  channels.filter(({ current }) => current);

interface DeleteBuildsProps {
  readonly builds: readonly Build[];
  readonly onDone: (kept: readonly KeptBuild[]) => void;
}

/** The button that deletes the selected builds after a confirmation, which counts those that go. Builds that are current in a channel stay. */
export function DeleteBuilds({ builds, onDone }: DeleteBuildsProps) {
  const words = useWords().builds;
  const format = useFormat();
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [isAsking, setIsAsking] = useState(false);
  const going = builds.filter((build) => currentChannels(build).length === 0);
  const deletion = useDeletion(going, (kept) => {
    setIsAsking(false);
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
          setIsAsking(true);
        }}
      >
        {format.plural(builds.length, words.deleteMany)}
      </Button>
      <AlertDialog
        open={isAsking}
        title={going.length > 0 ? format.plural(going.length, words.deleteManyTitle) : words.deleteNoneTitle}
        confirmLabel={format.plural(going.length, words.deleteMany)}
        busy={deletion.isPending}
        disabledReason={going.length > 0 ? undefined : words.deleteNone}
        error={deletion.error}
        onConfirm={() => deletion.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        {going.length > 0 && <p>{words.deleteManyText}</p>}
        <Staying builds={builds} />
      </AlertDialog>
    </>
  );
}

function useDeletion(builds: readonly Build[], onDone: (kept: readonly KeptBuild[]) => void) {
  const words = useWords().builds;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  return useMutation({
    mutationFn: () =>
      deleteBuilds(
        scope,
        builds.map(({ id }) => id),
      ),
    onSuccess: (deletions) => {
      const gone = deletions.filter(({ outcome }) => outcome !== 'current').length;
      if (gone > 0) toast(format.plural(gone, words.deleted), { tone: 'success' });
      const kept = new Map(deletions.filter(({ outcome }) => outcome === 'current').map((one) => [one.id, one]));
      onDone(
        builds.flatMap((build) => {
          const channels = kept.get(build.id)?.channels;
          return channels ? [{ build, channels }] : [];
        }),
      );
    },
    onSettled: () => changed(...builds.map(({ id }) => ({ type: 'build.deleted', build_id: id }))),
  });
}

/** The builds that cannot be deleted, as far as the list shows. */
function Staying({ builds }: { builds: readonly Build[] }) {
  const words = useWords().builds;
  const format = useFormat();
  const nameOf = useNameOf();
  const staying = builds.filter((build) => currentChannels(build).length > 0);
  if (staying.length === 0) return null;
  return (
    <ul className={styles.staying}>
      {staying.map((build) => (
        <li key={build.id}>
          {words.stays(nameOf(build), format.list(currentChannels(build).map(({ name }) => name)))}
        </li>
      ))}
    </ul>
  );
}

interface KeptBuildsProps {
  readonly kept: readonly KeptBuild[];
  readonly onDismiss: () => void;
}

/** The builds that could not be deleted, each with the channels that keep it. */
export function KeptBuilds({ kept, onDismiss }: KeptBuildsProps) {
  const words = useWords();
  const format = useFormat();
  const nameOf = useNameOf();
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
            {words.builds.stays(nameOf(build), format.list(channels.map(({ name }) => name)))}{' '}
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
