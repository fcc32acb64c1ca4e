import { type WebhookEvent } from '../webhook-event';
import { boundedEvent } from './bounded-event';

const ID = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';

const eventWith = (data: object): WebhookEvent => ({
  id: `evt_${ID}`,
  type: 'build.uploaded',
  timestamp: '2026-11-26T12:00:00.000Z',
  organization_id: ID,
  project_id: ID,
  position: 7,
  actor: { kind: 'developer', name: 'Ann' },
  data: { build_id: ID, ...data },
});
const sizeOf = (event: WebhookEvent): number => Buffer.byteLength(JSON.stringify(event));

describe('boundedEvent', () => {
  it('keeps an event that is short enough as it is', () => {
    const event = eventWith({ build: { notes: 'x'.repeat(10_000) } });
    expect(boundedEvent(event)).toBe(event);
  });

  it('cuts long texts and lists, and keeps addresses', () => {
    const url = `https://ci.example.com/${'a'.repeat(300)}`;
    const build = { notes: '😀'.repeat(5_000), permissions: Array.from({ length: 400 }, (_, n) => `p${n}`), url };
    const { data } = boundedEvent(eventWith({ build }));
    expect(data).toMatchObject({ build_id: ID, cut: true, build: { url } });
    const shown = data.build as typeof build;
    expect([...shown.notes].length).toBeLessThan(5_000);
    expect(shown.notes.endsWith('😀…')).toBe(true);
  });

  // red when: each text that begins with http stays whole, so that notes displace all other data
  it.each([
    [
      'notes that begin with an address',
      { build: { version: '1.0', notes: `https://x.example ${'y'.repeat(60_000)}` } },
    ],
    ['an address without an end', { build: { version: '1.0', notes: `https://${'y'.repeat(60_000)}` } }],
  ])('cuts %s', (_, data) => {
    const bounded = boundedEvent(eventWith(data));
    expect(sizeOf(bounded)).toBeLessThan(20_000);
    expect(bounded.data).toMatchObject({ build_id: ID, cut: true, build: { version: '1.0' } });
  });

  it('leaves out the objects of an event that has too many fields, and keeps its ids', () => {
    const build = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field_${n}`, n]));
    const bounded = boundedEvent(eventWith({ build, days_left: 7 }));
    expect(bounded.data).toEqual({ build_id: ID, days_left: 7, cut: true });
  });
});
