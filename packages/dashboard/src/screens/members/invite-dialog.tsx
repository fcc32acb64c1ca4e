import { ApiError, type OrganizationRole } from '@agate/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { drafts } from '../../parts/drafts';
import { keyOf } from '../../queries/keys';
import { invite } from '../../queries/organization/members';
import { FormDialog, type FormErrors, TextArea, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { RolesField, rolesOf } from './roles-field';

interface Invitations {
  readonly emails: readonly string[];
  readonly roles: readonly OrganizationRole[];
}

interface Refused {
  readonly email: string;
  readonly reason: string;
}

/** Invites each address. Returns those that the service rejects. Stops when the service is unavailable or limits the requests. */
async function inviteEach(organizationId: string, { emails, roles }: Invitations): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  for (const email of emails) {
    try {
      await invite(organizationId, email, roles);
    } catch (error) {
      const isOfAddress = error instanceof ApiError && [400, 409, 422].includes(error.status);
      if (!isOfAddress) throw error;
      refused.push({ email, reason: error.fields.get('email') ?? error.message });
    }
  }
  return refused;
}

/** Invites one or several people to the organization, all with the same roles. */
export function InviteDialog({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const words = useWords().members;
  const format = useFormat();
  const queryClient = useQueryClient();
  const toast = useToast();
  const draftKey = `invite:${organizationId}`;
  const [text, setText] = useState(() => drafts.read(draftKey) ?? '');
  const change = (typed: string): void => {
    setText(typed);
    drafts.keep(draftKey, typed);
  };
  const end = (): void => {
    drafts.forget(draftKey);
    onClose();
  };
  const [refusal, setRefusal] = useState<FormErrors>();
  const invitation = useMutation({
    mutationFn: (invitations: Invitations) => inviteEach(organizationId, invitations),
    onSuccess: (refused, { emails }) => {
      const sent = emails.filter((email) => !refused.some((one) => one.email === email));
      if (sent.length > 0) toast(words.sent(format.list(shortened(sent, format, words))), { tone: 'success' });
      if (refused.length === 0) return end();
      // Addresses that were invited are removed from the field, so that the rest can be corrected.
      change(refused.map(({ email }) => email).join('\n'));
      const reasons = refused.map(({ email, reason }) => words.refusal(email, reason)).join(' ');
      setRefusal({ message: format.plural(refused.length, words.notSent), fields: new Map([['email', reasons]]) });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf('invitations') }),
  });
  const submit = (values: FormData): void => {
    const emails = addressesIn(text);
    const isEmpty = emails.length === 0;
    setRefusal(isEmpty ? { message: '', fields: new Map([['email', words.noAddress]]) } : undefined);
    if (!isEmpty) invitation.mutate({ emails, roles: rolesOf(values) });
  };
  return (
    <FormDialog
      title={words.invite}
      onClose={onClose}
      onCancel={end}
      submitLabel={words.send}
      icon="mail"
      busy={invitation.isPending}
      errors={refusal ?? invitation.error}
      onSubmit={submit}
    >
      <TextArea
        label={words.email}
        name="email"
        hint={words.emailHint}
        rows={2}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={submitOnEnter}
      />
      <RolesField roles={['MEMBER']} />
    </FormDialog>
  );
}

/** The number of addresses that a message lists. */
const MAX_LISTED = 3;

/** The first addresses and the number of the others, for a message. */
function shortened(
  emails: readonly string[],
  format: ReturnType<typeof useFormat>,
  { others }: ReturnType<typeof useWords>['members'],
): readonly string[] {
  if (emails.length <= MAX_LISTED) return emails;
  const rest = emails.length - MAX_LISTED + 1;
  return [...emails.slice(0, MAX_LISTED - 1), format.plural(rest, others)];
}

/** One address is the usual case: Enter sends, Shift+Enter inserts a line break. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** The distinct addresses in a text. Any other characters separate them; `Bob <bob@example.com>` is one. */
function addressesIn(text: string): readonly string[] {
  const named = [...text.matchAll(/<([^<>\s]+)>/g)].map(([, address = '']) => address);
  const found = named.length > 0 ? named : text.split(/[\s,;]+/);
  const unique = new Map(found.filter(Boolean).map((address) => [address.toLowerCase(), address]));
  return [...unique.values()];
}
