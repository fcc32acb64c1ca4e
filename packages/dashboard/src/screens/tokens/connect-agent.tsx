import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../queries/keys';
import { createProjectToken } from '../../queries/project/project-tokens';
import { useProjectPlace } from '../../session/use-project-place';
import { CodeBlock, FormDialog, SecretOnce, TextField } from '../../ui';
import { useWords } from '../../words/words-provider';
import { agentSnippets } from './agent-snippets';

const LIFETIME_DAYS = 90;

/** Creates a token that can only read the project, and shows how agents use it. */
export function ConnectAgent({ onClose }: { onClose: () => void }) {
  const words = useWords().agents;
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const [token, setToken] = useState<string>();
  const creation = useMutation({
    mutationFn: (name: string) =>
      createProjectToken(scope, { name, role: 'VIEW_PROJECT', expires_at: inDays(LIFETIME_DAYS) }),
    // The value of a token must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: async (created) => {
      setToken(created.token);
      await queryClient.invalidateQueries({ queryKey: keyOf('project-tokens') });
    },
  });
  if (token !== undefined)
    return <SecretOnce words={words.secret} value={token} onDone={onClose} more={<Snippets />} />;
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      submitLabel={words.create}
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

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

function Snippets() {
  const words = useWords().agents;
  return agentSnippets(location.origin).map(({ agent, text }) => (
    <CodeBlock key={agent} label={words.names[agent]} text={text} copyLabel={words.copies[agent]} />
  ));
}
