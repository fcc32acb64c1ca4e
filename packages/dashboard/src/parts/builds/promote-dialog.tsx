import { type ResponseOf } from '@agate/client';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { useChanged } from '../../queries/changes';
import { type Build, buildQuery, versionOf } from '../../queries/project/builds';
import { type Channel, channelsQuery } from '../../queries/project/channels';
import { diffQuery, recipientsQuery } from '../../queries/project/releases';
import { api } from '../../session/api';
import { useProjectPlace } from '../../session/use-project-place';
import {
  Button,
  type ButtonProps,
  Card,
  Checkbox,
  Dialog,
  ErrorCard,
  Form,
  Inline,
  Select,
  Skeleton,
  Stack,
  TextArea,
  useToast,
} from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { drafts } from '../drafts';
import { useFirst } from '../use-first';
import { BuildDiff } from './build-diff';
import { Blocked, PromotionWarnings } from './promotion-warnings';
import { ProposeNotes } from './propose-notes';
import { MAX_NOTES } from './proposed-notes';
import { UNDO_MS, useUndoPromotion } from './use-undo-promotion';

const FORM = 'promotion';

export interface PromoteDialogProps {
  readonly build: Build;
  /** The channel that is selected initially. */
  readonly channelId?: string;
  readonly onClose: () => void;
}

/** Typed text is kept when the dialog is closed by accident. */
const draftKeyOf = ({ id }: Build): string => `promotion:${id}`;

/** The current release of the build's platform in a channel. */
const currentIn = (channel: Channel, { platform }: Build) =>
  channel.current.find((release) => release.platform === platform);

/** The channel that is selected initially: of those where the build is not current, the one with the latest promotion. */
function firstChoice(channels: readonly Channel[] | undefined, build: Build): Channel | undefined {
  const promotedAt = (channel: Channel): string => currentIn(channel, build)?.promoted_at ?? '';
  const [first] = (channels ?? [])
    .filter((channel) => currentIn(channel, build)?.build_id !== build.id)
    .sort((a, b) => promotedAt(b).localeCompare(promotedAt(a)));
  return first ?? channels?.[0];
}

/** The selected channel. The proposed one stays selected when others promote meanwhile. */
function useChoice(channels: UseQueryResult<readonly Channel[]>, build: Build, initial: string | undefined) {
  const [chosen, choose] = useState(initial);
  const first = firstChoice(channels.data, build);
  const proposed = useFirst({ data: first?.id, isFetching: channels.isFetching });
  return [channels.data?.find(({ id }) => id === (chosen ?? proposed)) ?? first, choose] as const;
}

/** Makes a build current in a channel. Shows beforehand what changes for its testers, and how many get a mail. */
export function PromoteDialog({ build, channelId, onClose }: PromoteDialogProps) {
  const { promotion: words, ui } = useWords();
  const { scope } = useProjectPlace();
  const read = useQuery(channelsQuery(scope));
  const { data: channels, error, refetch } = read;
  const [channel, setChannel] = useChoice(read, build, channelId);
  const close = (): void => {
    drafts.forget(draftKeyOf(build));
    onClose();
  };
  const promotion = usePromotion(build, close);
  const reason = channel && currentIn(channel, build)?.build_id === build.id ? words.sameBuildReason : undefined;
  return (
    <Dialog
      title={words.title(versionOf(build))}
      onClose={onClose}
      footer={
        <>
          <Button onClick={close}>{ui.cancel}</Button>
          {channel && <Promote build={build} busy={promotion.isPending} disabledReason={reason} />}
        </>
      }
    >
      <Blocked build={build} />
      {!channels && <Waiting error={error} onRetry={() => void refetch()} />}
      {channels?.length === 0 && <NoChannels />}
      {channels && channel && (
        <PromotionForm
          build={build}
          channels={channels}
          channel={channel}
          onChannel={setChannel}
          errors={promotion.error}
          onSend={(promoted) => {
            if (reason === undefined) promotion.mutate({ ...promoted, to: channel });
          }}
        />
      )}
    </Dialog>
  );
}

/** Has the focus, so that P and Enter promote a build, unless no device accepts it. */
function Promote({ build, ...how }: { build: Build } & Pick<ButtonProps, 'busy' | 'disabledReason'>) {
  const words = useWords().promotion;
  return (
    <Button
      type="submit"
      form={FORM}
      variant={build.installable ? 'primary' : 'danger'}
      data-autofocus={build.installable || undefined}
      {...how}
    >
      {build.installable ? words.promote : words.promoteAnyway}
    </Button>
  );
}

function Waiting({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  return error ? <ErrorCard message={error.message} onRetry={onRetry} /> : <Skeleton count={5} />;
}

interface Promoted {
  readonly notes: string;
  readonly notify: boolean;
  readonly mandatory: boolean;
}

interface PromotionFormProps {
  readonly build: Build;
  readonly channels: readonly Channel[];
  readonly channel: Channel;
  readonly onChannel: (id: string) => void;
  readonly errors: Error | null;
  readonly onSend: (promoted: Promoted) => void;
}

function PromotionForm({ build, channels, channel, onChannel, errors, onSend }: PromotionFormProps) {
  const words = useWords().promotion;
  // Testers are not mailed by accident about a build that they cannot install.
  const [notify, setNotify] = useState(build.installable);
  const draftKey = draftKeyOf(build);
  const field = useRef<HTMLTextAreaElement>(null);
  const commits = useCommits(build, channel);
  return (
    <Form
      id={FORM}
      errors={errors}
      onSubmit={(values) =>
        onSend({ notes: values.get('notes') as string, notify, mandatory: values.has('mandatory') })
      }
    >
      <Select
        label={words.channel}
        value={channel.id}
        onChange={(event) => onChannel(event.target.value)}
        options={channels.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextArea
        label={words.notes}
        name="notes"
        defaultValue={drafts.read(draftKey) ?? build.notes ?? ''}
        onChange={(event) => drafts.keep(draftKey, event.target.value)}
        rows={3}
        maxLength={MAX_NOTES}
        ref={field}
      />
      <Inline>
        <ProposeNotes commits={commits} field={field} draftKey={draftKey} />
      </Inline>
      <Checkbox label={words.notify} checked={notify} onChange={(event) => setNotify(event.target.checked)} />
      <Checkbox label={words.mandatory} hint={words.mandatoryHint} name="mandatory" />
      <Changes build={build} channel={channel} notify={notify} />
    </Form>
  );
}

/** The commits since the build that testers of a channel have, else those since the previous build. */
function useCommits(build: Build, channel: Channel) {
  const { scope } = useProjectPlace();
  const current = currentIn(channel, build);
  const against = current?.build_id ?? '';
  const diff = useQuery({ ...diffQuery(scope, build.id, against), enabled: against !== '' && against !== build.id });
  return diff.data?.commits?.added ?? build.source.commits;
}

function usePromotion(build: Build, onDone: () => void) {
  const words = useWords().promotion;
  const { scope } = useProjectPlace();
  const format = useFormat();
  const queryClient = useQueryClient();
  const changed = useChanged();
  const toast = useToast();
  const undo = useUndoPromotion();
  /** What the mails will do. Empty while their number is unknown. */
  const mailsOf = ({ notify, to }: { readonly notify: boolean; readonly to: Channel }): string => {
    const counts = queryClient.getQueryData(recipientsQuery(scope, build.id, to.id).queryKey);
    if (!notify || counts?.recipients === 0) return words.silent;
    return counts ? format.plural(counts.recipients, words.mailsSoon) : '';
  };
  return useMutation({
    mutationFn: ({ notes, to, ...how }: Promoted & { readonly to: Channel }) =>
      api.request('POST /releases', {
        query: { ...scope, channel_id: to.id },
        body: { build_id: build.id, ...(notes.trim() !== '' && { notes }), ...how },
      }),
    onSuccess: (release, sent) => {
      const { to } = sent;
      toast(`${words.done(versionOf(build), to.name)} ${mailsOf(sent)}`.trimEnd(), {
        tone: 'success',
        shownMs: UNDO_MS,
        action: { label: words.undo, onClick: () => void undo(release, to.name) },
      });
      onDone();
      return changed({ type: 'release.promoted', channel_id: to.id });
    },
    // Another member may have promoted a build: the dialog then shows the current state.
    onError: (_error, { to }) => changed({ type: 'release.promoted', channel_id: to.id }),
  });
}

function NoChannels() {
  const words = useWords().promotion;
  const { params } = useProjectPlace();
  return (
    <p>
      {words.noChannels}{' '}
      <Link to="/o/$org/p/$project/channels" params={params}>
        {words.createChannel}
      </Link>
    </p>
  );
}

function Changes({ build, channel, notify }: { build: Build; channel: Channel; notify: boolean }) {
  const words = useWords().promotion;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const current = currentIn(channel, build);
  const mailTextOf = ({ recipients: count, subscribers }: ResponseOf<'GET /releases/recipients'>): string => {
    if (count > 0) return format.plural(count, words.mailed);
    return subscribers === 0 ? words.noSubscribers : words.noRecipients;
  };
  const { data: recipients } = useQuery(recipientsQuery(scope, build.id, channel.id));
  const mailText = notify ? recipients && mailTextOf(recipients) : words.silent;
  return (
    <Card title={words.changes} tone="sunk" level={3}>
      <Stack gap={12}>
        {current === undefined && <p>{words.first}</p>}
        {current?.build_id === build.id && <p>{words.sameBuild}</p>}
        {current && current.build_id !== build.id && (
          <Suspense fallback={<Skeleton count={4} />}>
            <Difference build={build} againstId={current.build_id} />
          </Suspense>
        )}
        <PromotionWarnings build={build} againstId={current?.build_id} />
        {mailText !== undefined && (
          <p role="status" className="strong">
            {mailText}
          </p>
        )}
      </Stack>
    </Card>
  );
}

function Difference({ build, againstId }: { build: Build; againstId: string }) {
  const { scope } = useProjectPlace();
  const before = useQuery(buildQuery(scope, againstId));
  const diff = useQuery(diffQuery(scope, build.id, againstId));
  if (before.data && diff.data)
    return <BuildDiff before={before.data} after={build} diff={diff.data} listsNewWarnings={false} />;
  const failed = [before, diff].find(({ error }) => error !== null);
  if (failed?.error) return <ErrorCard message={failed.error.message} onRetry={() => void failed.refetch()} />;
  return <Skeleton count={4} />;
}
