import { AppError } from '#kernel/errors/app-error';
import { type InviteTarget } from './tester-invites.service';

/** @throws AppError invalid_input for a channel and a build. */
export function inviteTarget(channelId: string | undefined, buildId: string | undefined): InviteTarget {
  if (channelId !== undefined && buildId !== undefined)
    throw AppError.invalidInput(
      'two_targets',
      'A link opens a build or a channel. Send build_id or channel_id, not both.',
    );
  return { buildId: buildId ?? null, channelId: channelId ?? null };
}
