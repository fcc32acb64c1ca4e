import { type Platform } from '@agate/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../queries/keys';
import { createUpdateKey, type UpdateKey } from '../../queries/project/update-keys';
import { useProjectPlace } from '../../session/use-project-place';
import { FormDialog, Select } from '../../ui';
import { useWords } from '../../words/words-provider';

export interface NewUpdateKeyProps {
  readonly channelId: string | null;
  /** The platforms without a key. */
  readonly platforms: readonly Platform[];
  readonly onCreated: (key: UpdateKey) => void;
  readonly onClose: () => void;
}

/** Asks for the platform of a new update key. */
export function NewUpdateKey({ channelId, platforms, onCreated, onClose }: NewUpdateKeyProps) {
  const { updates: words, builds } = useWords();
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf('update-keys', scope.project_id) });
  const creation = useMutation({
    mutationFn: (platform: Platform) => createUpdateKey(scope, channelId, platform),
    onSuccess: async (key) => {
      await refresh();
      onCreated(key);
    },
    // Another member may have created it.
    onError: refresh,
  });
  // When others create a key meanwhile, the browser would select another platform.
  const [first] = useState(platforms);
  const offered = creation.isError ? platforms : first;
  return (
    <FormDialog
      size="small"
      title={words.newKey}
      onClose={onClose}
      submitLabel={words.create}
      busy={creation.isPending}
      errors={creation.error}
      onSubmit={(values) => creation.mutate(values.get('platform') as Platform)}
    >
      <Select
        label={words.platform}
        name="platform"
        options={offered.map((value) => ({ value, label: builds.platforms[value] ?? value }))}
      />
    </FormDialog>
  );
}
