import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { expiryAfter } from '../../parts/tokens/expiry-field';
import { keyOf } from '../../queries/keys';
import { createProjectToken } from '../../queries/project/project-tokens';
import { useProjectPlace } from '../../session/use-project-place';
import { CodeBlock, FormDialog, SecretOnce, TextField } from '../../ui';
import { useWords } from '../../words/words-provider';

const LIFETIME_DAYS = 90;

/** Creates a token that can only read the project, and shows the variable in which agents expect it. */
export function NewAgentToken({ onClose }: { onClose: () => void }) {
  const words = useWords().agents;
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const [token, setToken] = useState<string>();
  const creation = useMutation({
    mutationFn: (name: string) =>
      createProjectToken(scope, { name, role: 'VIEW_PROJECT', expires_at: expiryAfter(LIFETIME_DAYS) }),
    // The value of a token must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: async (created) => {
      setToken(created.token);
      await queryClient.invalidateQueries({ queryKey: keyOf('project-tokens') });
    },
  });
  if (token !== undefined)
    return <SecretOnce words={words.secret} value={token} onDone={onClose} more={<Variable token={token} />} />;
  return (
    <FormDialog
      title={words.create}
      onClose={onClose}
      submitLabel={words.submit}
      busy={creation.isPending}
      errors={creation.error}
      onSubmit={(values) => creation.mutate((values.get('name') as string).trim())}
    >
      <p>{words.text}</p>
      <TextField
        label={words.name}
        name="name"
        hint={words.nameHint}
        defaultValue={words.suggestion}
        required
        maxLength={100}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function Variable({ token }: { token: string }) {
  const words = useWords().agents;
  const exportOf = (value: string): string => `export AGATE_TOKEN=${value}`;
  return (
    <CodeBlock
      label={words.variable}
      text={exportOf('ag_prj_…')}
      copyText={exportOf(token)}
      copyLabel={words.copyVariable}
    />
  );
}
