import { type Words } from '../../words/words';

/** The events that the form offers, by the group in which it shows them. */
export const EVENT_GROUPS = {
  builds: [
    'build.uploaded',
    'build.updated',
    'build.deleted',
    'build.signing_expires',
    'build.signing_expired',
    'downloads.counted',
  ],
  releases: ['release.promoted', 'release.withdrawn', 'release.undone'],
  channels: ['channel.created', 'channel.updated', 'channel.deleted'],
  testers: ['tester.created', 'tester.subscribed', 'tester.unsubscribed', 'tester.declined', 'tester.bounced'],
  organization: ['project.created', 'project.deleted', 'member.joined', 'member.removed', 'billing.budget_reached'],
} as const satisfies Partial<Record<keyof Words['webhooks']['groups'], readonly string[]>>;

/** The events that are chosen for a new webhook. */
export const USUAL_EVENTS: readonly string[] = ['build.uploaded', 'release.promoted'];

/** The name of an event type. */
export function eventLabel({ audit: { events }, webhooks }: Words, type: string): string {
  if (type === 'downloads.counted') return webhooks.downloadsCounted;
  const words = (events as Readonly<Record<string, Words['audit']['events'][keyof Words['audit']['events']]>>)[type];
  if (words === undefined) return type;
  return typeof words === 'string' ? words : words[0];
}
