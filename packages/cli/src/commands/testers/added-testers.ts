import { type ChannelResponse, type ImportedTestersResponse } from '@agate/client';
import { type Context } from '../../context';

/** Requests one addition of testers. The channel is undefined when they subscribe to none. */
type AddTo = (channelId: string | undefined) => Promise<ImportedTestersResponse>;

/**
 * Adds testers and subscribes them to channels: a request for each channel, of which the first adds them.
 * @returns what was done with each tester by the first request.
 */
export async function addToChannels(
  channels: readonly ChannelResponse[],
  addTo: AddTo,
): Promise<ImportedTestersResponse> {
  const [first, ...others] = channels;
  const added = await addTo(first?.id);
  for (const { id } of others) await addTo(id);
  return added;
}

/** Prints what was done with testers. */
export function printAdded(context: Context, added: ImportedTestersResponse, dryRun: boolean): void {
  const { created, existing, suppressed, testers } = added;
  const left = testers.filter(({ outcome }) => outcome === 'suppressed').map(({ email }) => email);
  if (left.length > 0) {
    const shown = left.slice(0, 5).join(', ') + (left.length > 5 ? ', …' : '');
    context.output.warn(`${shown}: unsubscribed before. Only they can resubscribe, through their own link.`);
  }
  const counts = `${created} ${dryRun ? 'would be added' : 'added'}, ${existing} existed, ${suppressed} unsubscribed before.`;
  context.output.print({ ...added, dry_run: dryRun }, counts);
}
