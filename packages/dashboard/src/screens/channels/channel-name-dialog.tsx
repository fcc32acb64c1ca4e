import { type UseMutationResult } from '@tanstack/react-query';
import { FormDialog, TextField, textOf } from '../../ui';
import { useWords } from '../../words/words-provider';

export interface ChannelNameDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  /** The present name. Absent for a new channel. */
  readonly name?: string;
  readonly saving: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>;
  readonly onClose: () => void;
}

/** Asks for the name of a channel. */
export function ChannelNameDialog({ title, submitLabel, name, saving, onClose }: ChannelNameDialogProps) {
  const words = useWords().channels;
  return (
    <FormDialog
      size="small"
      title={title}
      onClose={onClose}
      submitLabel={submitLabel}
      busy={saving.isPending}
      errors={saving.error}
      onSubmit={(values) => saving.mutate(textOf(values, 'name').trim())}
    >
      <TextField
        label={words.name}
        name="name"
        hint={words.nameHint}
        defaultValue={name}
        required
        maxLength={100}
        autoComplete="off"
      />
    </FormDialog>
  );
}
