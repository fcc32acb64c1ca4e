import { type LinkAccess } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { createLink, type Link, type LinkTarget, updateLink } from '../../queries/project/links';
import { useProjectPlace } from '../../session/use-project-place';
import { FormDialog, PasswordField, RadioCards, TextArea, TextField, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { changesOf, type LinkValues, NEW_LINK, valuesOf } from './link-values';
import { useLinkError } from './use-link-error';
import { useNameOfLink } from './use-name-of-link';

export interface LinkDialogProps {
  readonly target: LinkTarget;
  /** Null for a new link. */
  readonly link: Link | null;
  /** What was typed before the dialog was closed. */
  readonly typed: LinkValues | undefined;
  /** Keeps what is typed. Undefined forgets it. */
  readonly onTyped: (values: LinkValues | undefined) => void;
  readonly onSaved: () => Promise<unknown>;
  readonly onClose: () => void;
}

const ACCESS: readonly LinkAccess[] = ['open', 'password', 'sign_in', 'members'];

/** Creates a link, or changes its name and rules. */
export function LinkDialog({ target, link, typed, onTyped, onSaved, onClose }: LinkDialogProps) {
  const words = useWords().links;
  const toast = useToast();
  const nameOf = useNameOfLink();
  const { scope } = useProjectPlace();
  const before = link === null ? NEW_LINK : valuesOf(link);
  const [values, setValues] = useState(typed ?? before);
  const change = (changed: Partial<LinkValues>): void => {
    const after = { ...values, ...changed };
    setValues(after);
    onTyped(after);
  };
  const saving = useMutation({
    mutationFn: async (): Promise<Link> => {
      const changes = changesOf(before, values);
      if (link === null) return createLink(scope, target, { ...changes, name: values.name.trim() });
      return Object.keys(changes).length === 0 ? link : updateLink(scope, link.id, changes);
    },
    // The password must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: async (saved) => {
      onTyped(undefined);
      toast(link === null ? words.created(nameOf(saved)) : words.saved(nameOf(saved)), { tone: 'success' });
      onClose();
      await onSaved();
    },
  });
  return (
    <FormDialog
      title={link === null ? words.add : words.form.edit(nameOf(link))}
      onClose={onClose}
      onCancel={() => {
        onTyped(undefined);
        onClose();
      }}
      submitLabel={link === null ? words.form.create : words.form.save}
      busy={saving.isPending}
      errors={useLinkError(saving.error)}
      intro={link !== null && <Intro link={link} />}
      onSubmit={() => saving.mutate()}
    >
      <Fields link={link} values={values} onChange={change} />
    </FormDialog>
  );
}

function Intro({ link }: { readonly link: Link }) {
  const { form } = useWords().links;
  return <p className="soft">{link.is_default ? `${form.intro} ${form.mails}` : form.intro}</p>;
}

interface FieldsProps {
  readonly link: Link | null;
  readonly values: LinkValues;
  readonly onChange: (changed: Partial<LinkValues>) => void;
}

function Fields({ link, values, onChange }: FieldsProps) {
  const { form: words, access } = useWords().links;
  const field = (name: Exclude<keyof LinkValues, 'access'>) => ({
    name,
    value: values[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [name]: target.value }),
  });
  const hasPassword = link?.access === 'password';
  return (
    <>
      <TextField
        label={words.name}
        hint={words.nameHint}
        {...field('name')}
        required={link?.is_default !== true}
        maxLength={100}
        autoComplete="off"
      />
      <RadioCards
        label={words.access}
        name="access"
        value={values.access}
        onValue={(value) => onChange({ access: value as LinkAccess })}
        options={ACCESS.map((value) => ({ value, label: access[value], hint: words.accessHints[value] }))}
      />
      {values.access === 'password' && (
        <PasswordField
          label={words.password}
          hint={hasPassword ? words.passwordKept : words.passwordHint}
          {...field('password')}
          required={!hasPassword}
          minLength={6}
          maxLength={200}
          autoComplete="new-password"
        />
      )}
      <TextField
        type="datetime-local"
        label={words.expires}
        hint={words.expiresHint}
        {...field('expires_at')}
        max="9999-12-31T23:59"
      />
      <MaxDownloads link={link} {...field('max_downloads')} />
      <TextArea label={words.terms} hint={words.termsHint} {...field('terms')} maxLength={10_240} />
    </>
  );
}

interface MaxDownloadsProps {
  readonly link: Link | null;
  readonly name: string;
  readonly value: string;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

function MaxDownloads({ link, ...field }: MaxDownloadsProps) {
  const { form: words } = useWords().links;
  const format = useFormat();
  const used = link?.used_downloads ?? 0;
  return (
    <TextField
      type="number"
      label={words.maxDownloads}
      hint={used > 0 ? words.maxDownloadsUsed(format.number(used)) : words.maxDownloadsHint}
      min={1}
      max={1_000_000}
      step={1}
      inputMode="numeric"
      {...field}
    />
  );
}
