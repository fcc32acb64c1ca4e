import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { curlOf } from '../../../frame/curl';
import { type Build, buildsQuery, deleteBuild, versionOf } from '../../../queries/builds';
import { api } from '../../../session/api';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { AlertDialog, Menu, useToast, writeClipboard } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** What else can be done with a build: download, compare, the same request as curl, delete. */
export function BuildMenu({ build }: { build: Build }) {
  const words = useWords().build;
  const ui = useWords().ui;
  const { organizationId, projectId, scope, params } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const navigate = useNavigate();
  const toast = useToast();
  const [isDeleting, setIsDeleting] = useState(false);
  const before = useBuildBefore(build);
  const download = useMutation({
    mutationFn: () =>
      api.request('POST /builds/{build_id}/download-url', { path: { build_id: build.id }, query: scope }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
  const compareWith = (from: string): void =>
    void navigate({ to: '/o/$org/p/$project/compare', params, search: { from, to: build.id } });
  const copyCurl = async (): Promise<void> => {
    await writeClipboard(curlOf(location.origin, location.pathname));
    toast(ui.copied, { tone: 'success' });
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
          { label: words.compare, icon: 'list', onSelect: () => compareWith(before ?? '') },
          { label: words.curl, icon: 'code', onSelect: () => void copyCurl() },
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

/** The build of the same platform that was uploaded before. Undefined without one. */
function useBuildBefore(build: Build): string | undefined {
  const { scope } = useProjectPlace();
  const { data } = useQuery({
    queryKey: ['build-before', build.id],
    refetchInterval: false,
    queryFn: ({ signal }) =>
      api.request('GET /builds', {
        query: { ...scope, platform: build.platform, to: build.uploaded_at, limit: 2 },
        signal,
      }),
  });
  return data?.items.find(({ id }) => id !== build.id)?.id;
}

function DeleteBuild({ build, onCancel }: { build: Build; onCancel: () => void }) {
  const words = useWords().build;
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const toast = useToast();
  const current = build.channels.filter((channel) => channel.current).map(({ name }) => name);
  const deletion = useMutation({
    mutationFn: () => deleteBuild(scope, build.id),
    onSuccess: async () => {
      toast(words.deleted(versionOf(build)), { tone: 'success' });
      await navigate({ to: '/o/$org/p/$project/builds', params });
      await queryClient.invalidateQueries({ queryKey: buildsQuery(scope).queryKey.slice(0, 2) });
    },
  });
  return (
    <AlertDialog
      title={words.deleteTitle(versionOf(build))}
      confirmLabel={words.delete}
      busy={deletion.isPending}
      disabledReason={current.length > 0 ? words.isCurrent(format.list(current)) : undefined}
      onConfirm={() => deletion.mutate()}
      onCancel={onCancel}
    >
      <p>{current.length > 0 ? words.isCurrent(format.list(current)) : words.deleteText}</p>
      {deletion.error && <p role="alert">{deletion.error.message}</p>}
    </AlertDialog>
  );
}
