import { type LinkAccess } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { createLink, type Link, type LinkTarget, updateLink } from '../../queries/project/links';
import { useProjectPlace } from '../../session/use-project-place';
import {
  Button,
  FormDialog,
  Inline,
  PasswordField,
  RadioCards,
  Stack,
  TextArea,
  TextField,
  useToast,
  useUiWords,
  writeClipboard,
} from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { changesOf, endAfter, type LinkValues, NEW_LINK, valuesOf } from './link-values';
import { useLinkError } from './use-link-error';
import { useNameOfLink } from './use-name-of-link';

/** What was typed in the form, and what it showed at first. */
export interface TypedLink {
  readonly before: LinkValues;
  readonly values: LinkValues;
}

export interface LinkDialogProps {
  readonly target: LinkTarget;
  /** Null for a new link. */
  readonly link: Link | null;
  /** What was typed before the dialog was closed. */
  readonly typed: TypedLink | undefined;
  /** Keeps what is typed. Undefined forgets it. */
  readonly onTyped: (typed: TypedLink | undefined) => void;
  readonly onSaved: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** The ends that one press chooses, in days from now. */
const END_IN_DAYS: readonly number[] = [7, 14, 30];

const ACCESS: readonly LinkAccess[] = ['open', 'password', 'sign_in', 'members'];

/** Creates a link, or changes its name and rules. */
export function LinkDialog({ target, link, typed, onTyped, onSaved, onClose }: LinkDialogProps) {
  const words = useWords().links;
  const ui = useUiWords();
  const toast = useToast();
  const nameOf = useNameOfLink();
  const { scope } = useProjectPlace();
  // Only what was changed here is sent, so that a rule that others set meanwhile stays.
  const [before] = useState(typed?.before ?? (link === null ? NEW_LINK : valuesOf(link)));
  const [values, setValues] = useState(typed?.values ?? before);
  const change = (changed: Partial<LinkValues>): void => {
    const after = { ...values, ...changed };
    setValues(after);
    onTyped({ before, values: after });
  };
  const created = (saved: Link): void => {
    const { install_url: address } = saved;
    const copy = async (text: string): Promise<void> => {
      if (await writeClipboard(text)) toast(ui.copied);
      else toast(`${ui.copyFailed} ${text}`, { tone: 'problem' });
    };
    const action = address === null ? undefined : { label: words.copyNew, onClick: () => void copy(address) };
    // A new link is made to be sent, so there is time to reach the button.
    toast(words.created(nameOf(saved)), { shownMs: 20_000, ...(action && { action }) });
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
      if (link === null) created(saved);
      else toast(words.saved(nameOf(saved)));
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
      <Expires {...field('expires_at')} onValue={(value) => onChange({ expires_at: value })} />
      <MaxDownloads link={link} {...field('max_downloads')} />
      <TextArea label={words.terms} hint={words.termsHint} {...field('terms')} maxLength={10_240} />
    </>
  );
}

interface ExpiresProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  readonly onValue: (value: string) => void;
}

/** The end of a link: typed, or chosen as a number of days. */
function Expires({ onValue, ...field }: ExpiresProps) {
  const { form: words } = useWords().links;
  const format = useFormat();
  return (
    <Stack gap={8}>
      <TextField
        type="datetime-local"
        label={words.expires}
        hint={words.expiresHint}
        max="9999-12-31T23:59"
        {...field}
      />
      <Inline>
        {END_IN_DAYS.map((days) => (
          <Button key={days} onClick={() => onValue(endAfter(days, new Date()))}>
            {format.plural(days, words.inDays)}
          </Button>
        ))}
      </Inline>
    </Stack>
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
