import { includesProjectRole, PROJECT_ROLES, type ProjectRole } from '@agate/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ExpiryField, expiryOf } from '../../parts/tokens/expiry-field';
import { keyOf } from '../../queries/keys';
import { createProjectToken, type NewProjectToken, type ProjectTokenDraft } from '../../queries/project/project-tokens';
import { useProjectPlace } from '../../session/use-project-place';
import { FormDialog, Select, TextField } from '../../ui';
import { useWords } from '../../words/words-provider';

export interface NewProjectTokenDialogProps {
  /** The role of the developer. A token cannot have a higher one. */
  readonly ownRole: ProjectRole | null;
  readonly onClose: () => void;
  readonly onCreated: (token: NewProjectToken) => void;
}

/** Creates a project access token. */
export function NewProjectTokenDialog({ ownRole, onClose, onCreated }: NewProjectTokenDialogProps) {
  const words = useWords().tokens;
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const creation = useMutation({
    mutationFn: (draft: ProjectTokenDraft) => createProjectToken(scope, draft),
    // The value of a token must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: async (token) => {
      onCreated(token);
      await queryClient.invalidateQueries({ queryKey: keyOf('project-tokens') });
    },
  });
  const submit = (values: FormData): void =>
    creation.mutate({
      name: (values.get('name') as string).trim(),
      role: values.get('role') as ProjectRole,
      expires_at: expiryOf(values),
    });
  return (
    <FormDialog
      title={words.newTitle}
      onClose={onClose}
      submitLabel={words.create}
      busy={creation.isPending}
      errors={creation.error}
      onSubmit={submit}
    >
      <TextField label={words.name} name="name" hint={words.nameHint} required maxLength={100} autoComplete="off" />
      <RoleField ownRole={ownRole} />
      <ExpiryField defaultChoice="365" />
    </FormDialog>
  );
}

function RoleField({ ownRole }: { ownRole: ProjectRole | null }) {
  const { tokens: words, access, roles } = useWords();
  const [role, setRole] = useState<ProjectRole>('UPLOAD_BUILD');
  return (
    <Select
      label={words.role}
      name="role"
      hint={words.meanings[role] ?? access.meanings[role]}
      value={role}
      onChange={(event) => setRole(event.target.value as ProjectRole)}
      options={PROJECT_ROLES.map((value) => {
        const disabled = !includesProjectRole(ownRole, value);
        return { value, label: disabled ? `${roles[value]} (${words.aboveOwn})` : roles[value], disabled };
      })}
    />
  );
}
