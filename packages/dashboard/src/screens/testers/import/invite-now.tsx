import { type ImportedTestersResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { adoptionQuery } from '../../../queries/project/adoption';
import { actOnTesters, subscribeToChannels } from '../../../queries/project/testers';
import { useProjectPlace } from '../../../session/use-project-place';
import { Checkbox } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { idsOf, NO_INVITATIONS, type Outcome, outcomeOf } from './outcome';

/** Whether the added people are invited immediately. Offered when a chosen channel has a build, and then the default. */
export function useInviteNow(channelIds: readonly string[]) {
  const words = useWords().testers.addDialog;
  const { scope } = useProjectPlace();
  const { data: releases } = useQuery(adoptionQuery(scope));
  const [isWanted, setWanted] = useState(true);
  const hasBuild =
    releases?.some(({ channel, installable }) => installable && channelIds.includes(channel.id)) ?? false;
  return { isOn: hasBuild && isWanted, reason: hasBuild ? undefined : words.inviteReason, setWanted };
}

export function InviteNow({ isOn, reason, setWanted }: ReturnType<typeof useInviteNow>) {
  const words = useWords().testers.addDialog;
  return (
    <Checkbox
      label={words.invite}
      hint={isOn ? words.mailNow : words.noMail}
      checked={isOn}
      disabledReason={reason}
      onChange={(event) => setWanted(event.target.checked)}
    />
  );
}

/** What follows when people were added. */
export interface AfterAdding {
  readonly channelIds: readonly string[];
  /** Whether those who are subscribed now get a mail immediately. */
  readonly invite: boolean;
}

/** The people who were invited, of those to invite. */
export interface AddingProgress {
  readonly done: number;
  readonly total: number;
}

/** Returns the function that subscribes people who were added, and invites the new subscribers. After a failure it continues with the rest. */
export function useAfterAdding(
  onProgress?: (progress: AddingProgress) => void,
): (added: ImportedTestersResponse, then: AfterAdding) => Promise<Outcome> {
  const { scope } = useProjectPlace();
  const toInvite = useRef(new Set<string>());
  const invitations = useRef(NO_INVITATIONS);
  return async (added, { channelIds, invite }) => {
    const { subscribed, left } = await subscribeToChannels(scope, channelIds, idsOf(added));
    subscribed.forEach((id) => toInvite.current.add(id));
    if (invite) {
      const total = toInvite.current.size;
      onProgress?.({ done: 0, total });
      await actOnTesters(scope, { action: 'invite' }, [...toInvite.current], (ids, { done, skipped }) => {
        ids.forEach((id) => toInvite.current.delete(id));
        onProgress?.({ done: total - toInvite.current.size, total });
        const { invited, notInvited } = invitations.current;
        invitations.current = { invited: invited + done, notInvited: notInvited + skipped.length };
      });
    }
    const outcome = outcomeOf(added, left, invitations.current);
    toInvite.current.clear();
    invitations.current = NO_INVITATIONS;
    return outcome;
  };
}
