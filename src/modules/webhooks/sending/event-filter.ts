import { matchesBranch } from '#kernel/builds/branch-pattern';
import { type WebhookFilter } from '../webhook';
import { type EventTraits } from './webhook-subjects';

/** Whether the filter needs more than the event's own type. */
export const restricts = ({ channelIds, platforms, branches }: WebhookFilter): boolean =>
  channelIds.length + platforms.length + branches.length > 0;

/**
 * Whether an event passes a filter. Platforms and branches decide about events of builds: one whose build has no branch, or was deleted,
 * does not pass. Channels decide about the events that name a channel.
 */
export function passes(filter: WebhookFilter, { isOfBuild, channelId, platform, branch }: EventTraits): boolean {
  const { channelIds, platforms, branches } = filter;
  if (channelIds.length > 0 && channelId !== null && !channelIds.includes(channelId)) return false;
  if (!isOfBuild) return true;
  if (platforms.length > 0 && (platform === null || !platforms.includes(platform))) return false;
  return branches.length === 0 || (branch !== null && branches.some((pattern) => matchesBranch(pattern, branch)));
}
