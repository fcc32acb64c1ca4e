import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { type Build, buildQuery, versionOf } from '../queries/builds';
import { type Channel, channelsQuery } from '../queries/channels';
import { diffQuery, recipientsQuery, RELEASE_QUERIES } from '../queries/releases';
import { api } from '../session/api';
import { useProjectPlace } from '../session/use-project-place';
import { Button, Card, Dialog, Form, Select, Skeleton, Stack, TextArea, useToast, textOf } from '../ui';
import { useFormat } from '../words/use-format';
import { useWords } from '../words/words-provider';
import { BuildDiff } from './build-diff';

const FORM = 'promotion';

export interface PromoteDialogProps {
  readonly build: Build;
  /** The channel that is chosen at first. */
  readonly channelId?: string;
  readonly onClose: () => void;
}

/** Makes a build current in a channel. Shows before what changes for its testers, and how many are mailed. */
export function PromoteDialog({ build, channelId, onClose }: PromoteDialogProps) {
  const words = useWords().promotion;
  const { scope, params } = useProjectPlace();
  const { data: channels } = useQuery(channelsQuery(scope));
  const [chosen, setChosen] = useState(channelId);
  const queryClient = useQueryClient();
  const toast = useToast();
  const channel = channels?.find(({ id }) => id === chosen) ?? channels?.[0];
  const promotion = useMutation({
    mutationFn: ({ notes, to }: { notes: string; to: Channel }) =>
      api.request('POST /releases', {
        query: { ...scope, channel_id: to.id },
        body: { build_id: build.id, ...(notes.trim() !== '' && { notes }) },
      }),
    onSuccess: async (_release, { to }) => {
      toast(words.done(versionOf(build), to.name), { tone: 'success' });
      onClose();
      await Promise.all(RELEASE_QUERIES.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    },
  });
  return (
    <Dialog
      title={words.title(versionOf(build))}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{useWords().ui.cancel}</Button>
          {channel && (
            <Button type="submit" form={FORM} variant="primary" busy={promotion.isPending}>
              {words.promote}
            </Button>
          )}
        </>
      }
    >
      {channels?.length === 0 && (
        <p>
          {words.noChannels}{' '}
          <Link to="/o/$org/p/$project/channels" params={params}>
            {words.createChannel}
          </Link>
        </p>
      )}
      {channel && (
        <Form
          id={FORM}
          errors={promotion.error}
          onSubmit={(values) => promotion.mutate({ notes: textOf(values, 'notes'), to: channel })}
        >
          <Select
            label={words.channel}
            value={channel.id}
            onChange={(event) => setChosen(event.target.value)}
            options={(channels ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
          <TextArea label={words.notes} name="notes" defaultValue={build.notes ?? ''} rows={3} maxLength={5000} />
          <Changes build={build} channel={channel} />
        </Form>
      )}
    </Dialog>
  );
}

function Changes({ build, channel }: { build: Build; channel: Channel }) {
  const words = useWords().promotion;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const current = channel.current.find(({ platform }) => platform === build.platform);
  const { data: recipients } = useQuery(recipientsQuery(scope, build.id, channel.id));
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
        {recipients && (
          <p role="status">
            {recipients.recipients === 0 ? words.nobody : format.plural(recipients.recipients, words.mailed)}
          </p>
        )}
      </Stack>
    </Card>
  );
}

function Difference({ build, againstId }: { build: Build; againstId: string }) {
  const { scope } = useProjectPlace();
  const { data: before } = useQuery(buildQuery(scope, againstId));
  const { data: diff } = useQuery(diffQuery(scope, build.id, againstId));
  return before && diff ? <BuildDiff before={before} after={build} diff={diff} /> : <Skeleton count={4} />;
}
