import { ApiError } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { drafts } from '../../../parts/drafts';
import { useChanged } from '../../../queries/changes';
import { api } from '../../../session/api';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button, Dialog, Form, type FormErrors, TextArea, textOf, useToast } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import { AddingResult } from '../adding-result';
import { SubscribeTo } from '../tester/subscribe-to';
import { type PastedPerson } from './addresses';
import { type AfterAdding, InviteNow, useAfterAdding, useInviteNow } from './invite-now';
import { type Outcome, useOutcomeText } from './outcome';
import { parsePeople } from './testers-csv';

const FORM = 'add-testers';
const MAX_AT_ONCE = 1000;

/** Adds people by their addresses, and subscribes them to channels. Lists the people who unsubscribed before and stay unsubscribed. */
export function AddTesters({ onClose }: { onClose: () => void }) {
  const words = useWords().testers;
  const { cancel, close } = useWords().ui;
  const draftKey = `add-testers:${useProjectPlace().projectId}`;
  const end = (): void => {
    drafts.forget(draftKey);
    onClose();
  };
  const addition = useAddition(draftKey, onClose);
  const [problem, setProblem] = useState<FormErrors | null>(null);
  const problemOf = useProblemOf();
  const [channelIds, setChannelIds] = useState<string[]>([]);
  const invitation = useInviteNow(channelIds);
  const outcome = addition.data;
  const hasLeft = outcome !== undefined && outcome.left.length > 0;

  const submit = (values: FormData): void => {
    const { people, wrong } = parsePeople(textOf(values, 'emails'));
    const message = problemOf(people.length, wrong);
    setProblem(message === null ? null : { message, fields: new Map([['emails', message]]) });
    if (message === null) addition.mutate({ people, channelIds, invite: invitation.isOn });
  };
  return (
    <Dialog
      title={words.add}
      onClose={onClose}
      footer={
        hasLeft ? (
          <Button variant="primary" onClick={onClose} data-autofocus>
            {close}
          </Button>
        ) : (
          <>
            <Button onClick={end}>{cancel}</Button>
            <Button type="submit" form={FORM} variant="primary" busy={addition.isPending}>
              {words.add}
            </Button>
          </>
        )
      }
    >
      {hasLeft ? (
        <AddingResult outcome={outcome} />
      ) : (
        <Form id={FORM} errors={problem ?? addition.error} onSubmit={submit}>
          <TextArea
            label={words.addDialog.emails}
            name="emails"
            hint={words.addDialog.hint}
            rows={4}
            defaultValue={drafts.read(draftKey) ?? ''}
            onChange={(event) => drafts.keep(draftKey, event.target.value)}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
          />
          <SubscribeTo value={channelIds} onValue={setChannelIds} />
          <InviteNow {...invitation} />
        </Form>
      )}
    </Dialog>
  );
}

/** Returns a function that gives the reason why pasted text cannot be sent; null when it can. */
function useProblemOf(): (count: number, wrong: readonly string[]) => string | null {
  const words = useWords().testers.addDialog;
  const format = useFormat();
  return (count, wrong) => {
    if (wrong.length > 0) return words.wrong(format.list(wrong.slice(0, 5)));
    if (count === 0) return words.none;
    return count > MAX_AT_ONCE ? words.tooMany : null;
  };
}

interface Addition extends AfterAdding {
  readonly people: readonly PastedPerson[];
}

function useAddition(draftKey: string, onDone: () => void) {
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const outcomeText = useOutcomeText();
  const afterAdding = useAfterAdding();
  return useMutation<Outcome, Error, Addition>({
    mutationFn: async ({ people, ...then }) => {
      const added = await addAll(people, (testers) =>
        api.request('POST /testers/batch', { query: scope, body: { testers } }),
      );
      return afterAdding(added, then);
    },
    onSuccess: (outcome) => {
      drafts.forget(draftKey);
      if (outcome.left.length > 0) return;
      toast(outcomeText(outcome), { tone: 'success' });
      onDone();
    },
    // Runs also after a failure: people may have been added, but not subscribed.
    onSettled: () => changed({ type: 'testers.imported' }),
  });
}

/** Sends people. The response to invalid ones names their positions; the field shows their addresses. */
async function addAll<Result>(
  people: readonly PastedPerson[],
  send: (people: readonly PastedPerson[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(people);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation_error') throw error;
    const messages = [...error.fields].map(([field, message]) => {
      const position = /^testers\.(\d+)\./.exec(field)?.[1];
      const email = position === undefined ? undefined : people[Number(position)]?.email;
      return email === undefined ? message : `${email}: ${message}`;
    });
    const fields = [{ field: 'emails', messages }];
    throw new ApiError(error.status, error.code, error.message, { ...error.details, fields });
  }
}
