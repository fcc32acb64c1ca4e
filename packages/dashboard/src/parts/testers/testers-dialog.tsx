import { type BulkTestersRequest, type BulkTestersResponse, type RemindersResponse } from '@agate/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { useChanged } from '../../queries/changes';
import { remind } from '../../queries/project/adoption';
import { channelChoicesQuery } from '../../queries/project/channel-choices';
import { actOnTesters, type Tester } from '../../queries/project/testers';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Dialog, FormDialog, Select, Stack, TextField, textOf, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { useFirst } from '../use-first';

export type BulkAct = BulkTestersRequest['action'];

interface Outcome {
  readonly done: number;
  readonly skipped: BulkTestersResponse['skipped'] | RemindersResponse['skipped'];
}

interface CommonProps {
  readonly onClose: () => void;
  /** Called when the action is done, after its outcome was read. */
  readonly onDone?: () => void;
}

export interface RemindDialogProps extends CommonProps {
  /** A current release. */
  readonly releaseId: string;
  readonly channelName: string;
  /** With the number of the build: `2.1.0 (211)`. */
  readonly version: string;
  /** The number of testers who would be mailed. */
  readonly count: number;
  /** Default: everybody who lacks the build. */
  readonly testers?: readonly Tester[];
}

/** Mails testers who lack the build of a release once more. */
export function RemindDialog({ releaseId, channelName, version, count, testers, ...common }: RemindDialogProps) {
  const words = useWords().bulk;
  const { scope } = useProjectPlace();
  const ids = testers?.map(({ id }) => id);
  const send = async (): Promise<Outcome> => {
    const { queued, skipped } = await remind(scope, releaseId, ids);
    return { done: queued, skipped };
  };
  return (
    <TestersDialog act="remind" count={count} testers={testers} send={send} {...common}>
      {/* The focus is on the text: the dialog has no field. */}
      <p tabIndex={-1} data-autofocus>
        {words.remindText(version, channelName)}
      </p>
    </TestersDialog>
  );
}

interface BulkDialogProps extends CommonProps {
  readonly act: BulkAct;
  readonly testers: readonly Tester[];
}

/** Does something with several testers. */
export function BulkDialog({ act, testers, ...common }: BulkDialogProps) {
  const words = useWords().bulk;
  const { scope } = useProjectPlace();
  const count = String(testers.length);
  const send = (values: FormData): Promise<Outcome> => {
    const channel = textOf(values, 'channel');
    const ids = testers.map(({ id }) => id);
    return actOnTesters(scope, { action: act, ...(channel && { channel_id: channel }) }, ids);
  };
  return (
    <TestersDialog act={act} count={testers.length} testers={testers} send={send} {...common}>
      <p>{words.texts[act]}</p>
      {act === 'erase' ? (
        <TextField
          label={words.field(count)}
          name="count"
          required
          pattern={count}
          title={words.mismatch}
          autoComplete="off"
        />
      ) : (
        <ChooseChannel
          isOptional={act === 'invite' && testers.every(isSubscribed)}
          proposed={act === 'subscribe' ? undefined : usualChannel(testers)}
        />
      )}
    </TestersDialog>
  );
}

const isSubscribed = ({ subscriptions }: Tester): boolean => subscriptions.some(({ state }) => state === 'subscribed');

/** The channel that most of the testers are subscribed to. */
function usualChannel(testers: readonly Tester[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { channel_id: id, state } of testers.flatMap(({ subscriptions }) => subscriptions)) {
    if (state === 'subscribed') counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

interface ChooseChannelProps {
  readonly isOptional: boolean;
  readonly proposed: string | undefined;
}

function ChooseChannel({ isOptional, proposed }: ChooseChannelProps) {
  const words = useWords().bulk;
  const { scope } = useProjectPlace();
  const channels = useFirst(useQuery(channelChoicesQuery(scope))) ?? [];
  return (
    <Select
      label={words.channel}
      // The channels arrive later, and choose the first.
      key={channels.length}
      name="channel"
      required={!isOptional}
      defaultValue={isOptional ? '' : proposed}
      options={[
        ...(isOptional ? [{ value: '', label: words.allChannels }] : []),
        ...channels.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

interface TestersDialogProps extends CommonProps {
  readonly act: BulkAct | 'remind';
  readonly count: number;
  /** Undefined when the screen does not have them. */
  readonly testers: readonly Tester[] | undefined;
  readonly send: (values: FormData) => Promise<Outcome>;
  readonly children: ReactNode;
}

/** Tells the consequence of an action on testers, and afterwards names those for whom it did nothing, with the reasons. */
function TestersDialog({ act, count, testers, send, onClose, onDone, children }: TestersDialogProps) {
  const words = useWords().bulk;
  const format = useFormat();
  const toast = useToast();
  const changed = useChanged();
  const finish = (): void => {
    onClose();
    onDone?.();
  };
  const action = useMutation({
    mutationFn: send,
    // Runs also when the list no longer shows the testers, and with them the dialog.
    onSuccess: ({ done, skipped }) => {
      if (skipped.length > 0) return;
      toast(format.plural(done, words.done[act]), { tone: 'success' });
      finish();
    },
    onSettled: () => void changed({ type: 'testers.imported' }),
  });
  const title = format.plural(count, words.titles[act]);
  if (action.data) return <Result {...action.data} act={act} testers={testers} onClose={finish} />;
  return (
    <FormDialog
      title={title}
      size="small"
      onClose={onClose}
      submitLabel={title}
      variant={act === 'erase' ? 'danger' : 'primary'}
      busy={action.isPending}
      errors={action.error}
      onSubmit={(values) => action.mutate(values)}
    >
      {children}
    </FormDialog>
  );
}

/** The number of addresses that are listed for each reason. */
const SHOWN = 20;

type ResultProps = Outcome & Pick<TestersDialogProps, 'act' | 'testers' | 'onClose'>;

function Result({ done, skipped, act, testers = [], onClose }: ResultProps) {
  const { bulk: words, ui } = useWords();
  const format = useFormat();
  return (
    <Dialog
      title={words.result}
      size="small"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose} data-autofocus>
          {ui.close}
        </Button>
      }
    >
      <Stack gap={12}>
        <p role="status">{format.plural(done, words.done[act])}</p>
        {[...new Set(skipped.map(({ reason }) => reason))].map((reason) => {
          const ids = new Set(skipped.filter((one) => one.reason === reason).map(({ tester_id: id }) => id));
          const emails = testers.filter(({ id }) => ids.has(id)).map(({ email }) => email);
          return (
            <div key={reason}>
              <p>{words.skipped(format.number(ids.size), words.reasons[reason])}</p>
              {emails.length > 0 && <p className="soft small">{format.list(emails.slice(0, SHOWN))}</p>}
            </div>
          );
        })}
      </Stack>
    </Dialog>
  );
}
