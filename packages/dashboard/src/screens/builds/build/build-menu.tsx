import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { readingCurl } from '../../../parts/ci/curl';
import { useUndoDeletion } from '../../../parts/deletion/use-undo-deletion';
import { LEAVING, useChanged } from '../../../queries/changes';
import { keyOf } from '../../../queries/keys';
import { type Build, buildQuery, deleteBuild, pinBuild, versionOf } from '../../../queries/project/builds';
import { api } from '../../../session/api';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { AlertDialog, Menu, useToast, writeClipboard } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';
import { useComparison } from './use-comparison';

/** The other actions on a build: download, compare, the same request as curl, pin, delete. */
export function BuildMenu({ build }: { build: Build }) {
  const { build: words, builds, ui } = useWords();
  const { organizationId, projectId, scope, params } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const navigate = useNavigate();
  const toast = useToast();
  const [isDeleting, setIsDeleting] = useState(false);
  const { before } = useComparison(build);
  const pin = usePin(build);
  const download = useMutation({
    mutationFn: () =>
      api.request('POST /builds/{build_id}/download-url', { path: { build_id: build.id }, query: scope }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
  const compare = (): void =>
    void navigate({ to: '/o/$org/p/$project/compare', params, search: { from: before?.id, to: build.id } });
  const copyCurl = async (): Promise<void> => {
    const isCopied = await writeClipboard(readingCurl(`/builds/${build.id}`, scope));
    if (isCopied) toast(ui.copied, { tone: 'success' });
    else toast(ui.copyFailed, { tone: 'problem' });
  };
  return (
    <>
      <Menu
        label={words.more}
        items={[
          {
            label: words.download,
            icon: 'download',
            disabledReason: may('POST /builds/{build_id}/download-url'),
            onSelect: () => download.mutate(),
          },
          { label: words.compare, icon: 'table', onSelect: compare },
          { label: words.curl, icon: 'code', onSelect: () => void copyCurl() },
          {
            label: build.pinned ? builds.unpin : builds.pin,
            icon: 'pin',
            disabledReason: may('PATCH /builds/{build_id}'),
            onSelect: () => pin.mutate(),
          },
          {
            label: words.delete,
            icon: 'trash',
            danger: true,
            disabledReason: may('DELETE /builds/{build_id}'),
            onSelect: () => setIsDeleting(true),
          },
        ]}
      />
      {isDeleting && <DeleteBuild build={build} onCancel={() => setIsDeleting(false)} />}
    </>
  );
}

/** Pins a build, or unpins it. */
function usePin(build: Build) {
  const { builds: words } = useWords();
  const format = useFormat();
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const changed = useChanged();
  const toast = useToast();
  return useMutation({
    mutationFn: () => pinBuild(scope, build.id, !build.pinned),
    onSuccess: async (after) => {
      queryClient.setQueryData(buildQuery(scope, build.id).queryKey, (before) => before && { ...before, ...after });
      toast(format.plural(1, after.pinned ? words.pinnedMany : words.unpinnedMany));
      await changed({ type: 'build.updated', build_id: build.id });
    },
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
}

/**
 * Asks for confirmation before the build is deleted. A build that is pinned or current in a channel cannot be deleted; the question says
 * what to do first.
 */
function DeleteBuild({ build, onCancel }: { build: Build; onCancel: () => void }) {
  const words = useWords().build;
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const changed = useChanged();
  const offerUndo = useUndoDeletion();
  const current = build.channels.filter((channel) => channel.current);
  const isCurrent = current.length > 0 ? words.isCurrent(format.list(current.map(({ name }) => name))) : undefined;
  const reason = build.pinned ? words.isPinned : isCurrent;
  const deletion = useMutation({
    mutationKey: LEAVING,
    mutationFn: () => deleteBuild(scope, build.id),
    onSuccess: async () => {
      offerUndo(words.deleted(versionOf(build)), [build.id]);
      await navigate({ to: '/o/$org/p/$project/builds', params });
      queryClient.removeQueries({ queryKey: keyOf('build', build.id) });
      await changed({ type: 'build.deleted', build_id: build.id });
    },
    // Another member may have promoted it.
    onError: () => queryClient.invalidateQueries({ queryKey: keyOf('build', build.id) }),
  });
  return (
    <AlertDialog
      title={words.deleteTitle(versionOf(build))}
      confirmLabel={words.delete}
      busy={deletion.isPending}
      error={deletion.error}
      disabledReason={reason}
      onConfirm={() => deletion.mutate()}
      onCancel={onCancel}
    >
      <p>{reason ?? words.deleteText}</p>
      {current.length > 0 && (
        <ul className={styles.offers}>
          {current.map(({ id, name }) => (
            <li key={id}>
              <Link to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel: id }}>
                {words.openChannel(name)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </AlertDialog>
  );
}
