import { type ChannelOfProjectResponse } from '@agate/client';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { useChanged } from '../../../queries/changes';
import { keyOf } from '../../../queries/keys';
import { type Tester, testerQuery } from '../../../queries/project/testers';
import { api } from '../../../session/api';
import { useProjectPlace } from '../../../session/use-project-place';
import { useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';

interface Change {
  readonly tester: Tester;
  readonly channel: ChannelOfProjectResponse;
  readonly on: boolean;
}

type Pages = InfiniteData<{ readonly items: readonly Tester[]; readonly next_cursor: string | null }>;

const KEY = ['subscription'];

/** Subscribes or unsubscribes a tester. Lists and the screen of the tester show it immediately, and the service's response afterwards. */
export function useSubscription(): (change: Change) => void {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const refetch = useChanged();
  const toast = useToast();
  const { mutate } = useMutation({
    mutationKey: KEY,
    mutationFn: ({ tester, channel, on }: Change) => {
      const request = { path: { tester_id: tester.id, channel_id: channel.id }, query: scope };
      return on
        ? api.request('PUT /testers/{tester_id}/subscriptions/{channel_id}', request)
        : api.request('DELETE /testers/{tester_id}/subscriptions/{channel_id}', request);
    },
    onMutate: async (change) => {
      const filter = { queryKey: keyOf('testers', scope.project_id) };
      await queryClient.cancelQueries(filter);
      queryClient.setQueriesData<Pages>(filter, (pages) => pages && withChange(pages, change));
      const { queryKey } = testerQuery(scope, change.tester.id);
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (one) => one && changed(one, change));
    },
    onSuccess: (subscription, { tester, channel }) => {
      if (subscription?.state !== 'suppressed') return;
      toast(words.leftChannel(tester.email, channel.name), { tone: 'problem' });
    },
    onError: (error) => toast(error.message, { tone: 'problem' }),
    onSettled: async (_subscription, _error, { tester, channel }) => {
      // An older response must not undo a later press.
      if (queryClient.isMutating({ mutationKey: KEY }) > 1) return;
      await refetch({ type: 'tester.subscribed', channel_id: channel.id, tester_id: tester.id });
    },
  });
  return mutate;
}

function withChange(pages: Pages, change: Change): Pages {
  const items = (all: readonly Tester[]): readonly Tester[] => all.map((one) => changed(one, change));
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: items(page.items) })) };
}

function changed(one: Tester, { tester, channel, on }: Change): Tester {
  if (one.id !== tester.id) return one;
  const others = one.subscriptions.filter(({ channel_id }) => channel_id !== channel.id);
  return { ...one, subscriptions: on ? [...others, { channel_id: channel.id, state: 'subscribed' }] : others };
}
