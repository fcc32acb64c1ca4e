import { type WebhookEvent } from '../webhook-event';

/** The maximum size of an event's JSON. The format can add an install link, and a test its mark: a body has at most 20 kB. */
const MAX_BYTES = 19_500;
/** The steps in which texts and lists of an event that is too large are cut. */
const CUTS = [
  { characters: 4_000, items: 100 },
  { characters: 800, items: 30 },
  { characters: 200, items: 10 },
  { characters: 60, items: 3 },
] as const;
const SMALLEST = CUTS[3];

type Cut = (typeof CUTS)[number];

/** An address stays whole. A text that only begins with one is cut. */
const ADDRESS = /^https?:\/\/\S{1,2000}$/;

/** Cuts the texts and lists of an event until its JSON is short enough. `data.cut` says so. Ids, other facts and addresses stay whole. */
export function boundedEvent(event: WebhookEvent): WebhookEvent {
  if (sizeOf(event) <= MAX_BYTES) return event;
  for (const cut of CUTS) {
    const smaller = { ...event, data: { ...(cutIn(event.data, cut) as object), cut: true } };
    if (sizeOf(smaller) <= MAX_BYTES) return smaller;
  }
  const facts = Object.entries(event.data).filter(([, value]) => typeof value !== 'object');
  return { ...event, data: { ...(cutIn(Object.fromEntries(facts), SMALLEST) as object), cut: true } };
}

const sizeOf = (event: WebhookEvent): number => Buffer.byteLength(JSON.stringify(event));

function cutIn(value: unknown, cut: Cut): unknown {
  if (typeof value === 'string')
    return value.length <= cut.characters || ADDRESS.test(value)
      ? value
      : `${[...value].slice(0, cut.characters).join('')}…`;
  if (Array.isArray(value)) return value.slice(0, cut.items).map((item) => cutIn(item, cut));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutIn(item, cut)]));
}
