import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@agate/client';
import { useState } from 'react';
import { type Build, deleteBuild, versionOf } from '../../queries/builds';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, Button, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

interface Kept {
  readonly build: Build;
  readonly reason: string;
}

/** Deletes each build. Returns those that stay, with the reason. */
async function deleteEach(builds: readonly Build[], remove: (build: Build) => Promise<unknown>): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const build of builds) {
    try {
      await remove(build);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      kept.push({ build, reason: error.message });
    }
  }
  return kept;
}

/** The button that deletes the selected builds after a question. Builds that are current in a channel stay. */
export function DeleteBuilds({ builds, onDone }: { builds: readonly Build[]; onDone: () => void }) {
  const words = useWords().builds;
  const format = useFormat();
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const deletion = useMutation({
    mutationFn: () => deleteEach(builds, ({ id }) => deleteBuild(scope, id)),
    onSuccess: (kept) => {
      const deleted = builds.length - kept.length;
      if (deleted > 0) toast(format.plural(deleted, words.deleted), { tone: 'success' });
      for (const { build, reason } of kept) toast(words.kept(versionOf(build), reason), { tone: 'problem' });
      setIsAsking(false);
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['builds'] }),
  });
  return (
    <>
      <Button
        variant="danger"
        icon="trash"
        disabledReason={may('DELETE /builds/{build_id}')}
        onClick={() => setIsAsking(true)}
      >
        {format.plural(builds.length, words.deleteMany)}
      </Button>
      <AlertDialog
        open={isAsking}
        title={format.plural(builds.length, words.deleteManyTitle)}
        confirmLabel={format.plural(builds.length, words.deleteMany)}
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{words.deleteManyText}</p>
        {deletion.error && <p role="alert">{deletion.error.message}</p>}
      </AlertDialog>
    </>
  );
}
