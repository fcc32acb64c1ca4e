import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ExpiryField, expiryOf } from '../../../parts/tokens/expiry-field';
import { createPersonalToken, type NewPersonalToken } from '../../../queries/account/personal-tokens';
import { type SessionOrganization } from '../../../queries/account/session';
import { keyOf } from '../../../queries/keys';
import { FormDialog, TextField } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { ScopesField, scopesOf } from './scopes-field';

export interface NewPersonalTokenDialogProps {
  readonly organization: SessionOrganization;
  readonly onClose: () => void;
  readonly onCreated: (token: NewPersonalToken) => void;
}

/** Creates a personal access token in an organization. */
export function NewPersonalTokenDialog({ organization, onClose, onCreated }: NewPersonalTokenDialogProps) {
  const words = useWords().tokens;
  const queryClient = useQueryClient();
  const creation = useMutation({
    mutationFn: (values: FormData) =>
      createPersonalToken(organization.id, {
        name: (values.get('name') as string).trim(),
        scopes: scopesOf(values),
        expires_at: expiryOf(values),
      }),
    // The value of a token must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: async (token) => {
      onCreated(token);
      await queryClient.invalidateQueries({ queryKey: keyOf('personal-tokens') });
    },
  });
  const [refusal, setRefusal] = useState<{ message: string; fields: ReadonlyMap<string, string> }>();
  const submit = (values: FormData): void => {
    const hasScope = scopesOf(values).length > 0;
    setRefusal(hasScope ? undefined : { message: words.noScope, fields: new Map([['scopes', words.noScope]]) });
    if (hasScope) creation.mutate(values);
  };
  return (
    <FormDialog
      title={words.newTitle}
      onClose={onClose}
      submitLabel={words.create}
      busy={creation.isPending}
      errors={refusal ?? creation.error}
      onSubmit={submit}
    >
      <TextField label={words.name} name="name" required maxLength={100} autoComplete="off" />
      <p>{words.inOrganization(organization.name)}</p>
      <ScopesField />
      <ExpiryField defaultChoice="90" />
    </FormDialog>
  );
}
