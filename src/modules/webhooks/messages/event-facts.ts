import { type WebhookEvent } from '../webhook-event';
import { type MessageContext } from './message-context';

/** A named fact of a message, for example the platform. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** The subjects of an event as phrases of a title. Empty or null when the event does not have them. */
export interface EventFacts {
  /** `Rocket 2.1.0 (210)` */
  readonly build: string | null;
  readonly channel: string | null;
  readonly tester: string | null;
  /** The part of the signature that expires: `provisioning profile`. */
  readonly signingPart: string;
  /** ` in 7 days`, or empty when it is unknown. */
  readonly expires: string;
  readonly downloads: string | null;
  readonly notes: string | null;
  readonly rows: readonly Fact[];
}

type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = {};

const SYSTEMS: Readonly<Record<string, string>> = {
  ios: 'iOS',
  android: 'Android',
  macos: 'macOS',
  windows: 'Windows',
  linux: 'Linux',
};

const SIGNING_PARTS: Readonly<Record<string, string>> = {
  profile: 'provisioning profile',
  certificate: 'signing certificate',
};

/**
 * Reads the objects of an event, which are responses of the API. A field of another type is absent: an event that was stored by another
 * release still makes a message.
 */
export function factsOf({ data, actor }: WebhookEvent, context: MessageContext): EventFacts {
  const release = fields(data.release) ?? NOTHING;
  const build = fields(data.build ?? release['build']) ?? NOTHING;
  const tester = fields(data.tester) ?? NOTHING;
  const channel = text((fields(data.channel) ?? NOTHING)['name']);
  return {
    build: nameOf(build, context.projectName),
    channel,
    tester: text(tester['name']) ?? text(tester['email']),
    signingPart: SIGNING_PARTS[text(data['what']) ?? ''] ?? 'signature',
    expires: daysText(data['days_left']),
    downloads: typeof data['count'] === 'number' ? data['count'].toLocaleString('en') : null,
    notes: text(release['notes']) ?? text(build['notes']),
    rows: [
      ...buildRows(build),
      ...row('Channel', channel),
      ...sourceRows(build, context),
      ...row('Tester', text(tester['email'])),
      ...row('By', actor.name),
    ],
  };
}

/** `Rocket 2.1.0 (210)`; null without a version. */
function nameOf(build: Fields, projectName: string | null): string | null {
  const version = text(build['version']);
  const number = text(build['build_number']);
  return version && [appName(build) ?? projectName, version, number && `(${number})`].filter(Boolean).join(' ');
}

const buildRows = (build: Fields): Fact[] => [
  ...row('Platform', SYSTEMS[text(build['platform']) ?? '']),
  ...row('Version', text(build['version'])),
  ...row('Build number', text(build['build_number'])),
];

const sourceRows = (build: Fields, { previousSizeBytes }: MessageContext): Fact[] => [
  ...row('Branch', text(fields(build['source'])?.['branch'])),
  ...row('Size', sizeText(build['size_bytes'], previousSizeBytes)),
];

const fields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const row = (label: string, value: string | null | undefined): Fact[] => (value ? [{ label, value }] : []);

/** Builds name their app in `app`, builds of releases in `app_name`. */
const appName = (build: Fields): string | null => text(fields(build['app'])?.['name']) ?? text(build['app_name']);

function daysText(days: unknown): string {
  if (typeof days !== 'number') return '';
  return days === 1 ? ' tomorrow' : ` in ${String(days)} days`;
}

const MEGABYTES = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const CHANGE = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const BYTES_PER_MB = 1_000_000;

/** `66.1 MB (+1.2 MB)` */
function sizeText(bytes: unknown, previous: number | null): string | null {
  if (typeof bytes !== 'number') return null;
  const size = `${MEGABYTES.format(bytes / BYTES_PER_MB)} MB`;
  return previous !== null ? `${size} (${CHANGE.format((bytes - previous) / BYTES_PER_MB)} MB)` : size;
}
