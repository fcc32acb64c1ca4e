import { AppError } from '#kernel/errors/app-error';

/** The object that an invitation's link opens: one build, one channel or, when both are null, every build that the tester may install. */
export interface InviteTarget {
  readonly buildId: string | null;
  readonly channelId: string | null;
}

/** @throws AppError invalid_input for a channel and a build. */
export function inviteTarget(channelId: string | undefined, buildId: string | undefined): InviteTarget {
  if (channelId !== undefined && buildId !== undefined)
    throw AppError.invalidInput(
      'two_targets',
      'A link opens a build or a channel. Send build_id or channel_id, not both.',
    );
  return { buildId: buildId ?? null, channelId: channelId ?? null };
}
