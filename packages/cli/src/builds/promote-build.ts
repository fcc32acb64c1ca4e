import { type ChannelResponse } from '@agate/client';
import { type Context } from '../context';
import { derivedKey } from '../network/derived-key';

/** A build on a channel, as commands print it. */
export interface Promotion {
  /** The name of the channel. */
  readonly channel: string;
  readonly release_id: string;
  /** The install link of the channel. Null when the credential must not download. */
  readonly install_url: string | null;
}

export interface PromotionOptions {
  readonly notes?: string | undefined;
  /** Whether no mails are sent. */
  readonly silent?: boolean | undefined;
  /** Whether installed apps that check for updates must install the build. */
  readonly mandatory?: boolean | undefined;
  /** The idempotency key: a promotion that is repeated with it within a day makes no second release. */
  readonly once?: boolean;
}

/** Promotes a build to a channel. */
export async function promote(
  context: Context,
  buildId: string,
  channel: ChannelResponse,
  { notes, silent, mandatory, once }: PromotionOptions,
): Promise<Promotion> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const body = {
    build_id: buildId,
    ...(notes !== undefined && { notes }),
    ...(silent && { notify: false }),
    ...(mandatory && { mandatory }),
  };
  const { id } = await client.request('POST /releases', {
    query: { ...scope, channel_id: channel.id },
    ...(once && { headers: { 'Idempotency-Key': derivedKey('promote', channel.id, body) } }),
    body,
  });
  return promotionOf(channel, id);
}

export const promotionOf = ({ name, install_url }: ChannelResponse, releaseId: string): Promotion => ({
  channel: name,
  release_id: releaseId,
  install_url,
});

/** The command that takes a promotion back. Some names need quotes, which differ from shell to shell. */
export const undoOf = ({ id, name }: ChannelResponse, { release_id: release }: Promotion): string =>
  `agate releases undo ${release} --channel ${/^[\w.-]+$/.test(name) ? name : id}`;
