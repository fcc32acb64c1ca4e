import { type AuditEventType } from '@agate/client';
import { audit as german } from '../../words/de/audit';
import { builds as germanBuilds } from '../../words/de/builds';
import { roles as germanRoles } from '../../words/de/every-screen';
import { audit as english } from '../../words/en/audit';
import { builds as englishBuilds } from '../../words/en/builds';
import { roles as englishRoles } from '../../words/en/every-screen';
import { type EventTexts, type KnownNames, labelOf, partsOf, sentenceOf } from './sentence-of';

const ENGLISH: EventTexts = {
  language: 'en',
  events: english.events,
  roles: englishRoles,
  platforms: englishBuilds.platforms,
};
const GERMAN: EventTexts = {
  language: 'de',
  events: german.events,
  roles: germanRoles,
  platforms: germanBuilds.platforms,
};
const NAMES: KnownNames = {
  people: new Map([['bob', 'bob@example.com']]),
  builds: new Map([['b1', '2.1.0 (210)']]),
  channels: new Map([['beta', 'Beta']]),
};
const NO_NAMES: KnownNames = { people: new Map(), builds: new Map(), channels: new Map() };

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

const ACTOR = { kind: 'developer' as const, id: 'ann', label: 'ann@example.com' };

function sentences(
  type: AuditEventType,
  payload: Record<string, unknown>,
  names = NAMES,
  subject: string | null = null,
): string[] {
  const event = { type, payload, subject_label: subject, actor: ACTOR };
  return [ENGLISH, GERMAN].map((texts) => plain(sentenceOf(event, texts, names)));
}

const CASES: [AuditEventType, Record<string, unknown>, string, string][] = [
  [
    'build.uploaded',
    { build_id: 'b1', platform: 'ios', version: '2.1.0', build_number: '210', size_bytes: 67_000_000 },
    'Uploaded 2.1.0 (210) for iOS, 67 MB',
    '2.1.0 (210) für iOS hochgeladen, 67 MB',
  ],
  ['build.deleted', { build_id: 'x', version: '7', build_number: null }, 'Deleted 7', '7 gelöscht'],
  [
    'build.signing_expires',
    { build_id: 'b1', version: '2.1.0', build_number: '210', what: 'profile', days_left: 1 },
    'The provisioning profile of 2.1.0 (210) expires in 1 day',
    'Provisioning-Profil von 2.1.0 (210) läuft in 1 Tag ab',
  ],
  [
    'build.signing_expired',
    { build_id: 'b1', version: '7', build_number: null, what: 'certificate', expires_at: '2026-11-26T10:00:00.000Z' },
    'The signing certificate of 7 expired on 26 November 2026',
    'Signaturzertifikat von 7 ist am 26. November 2026 abgelaufen',
  ],
  [
    'release.promoted',
    { build_id: 'b1', channel_id: 'beta', platform: 'android', sequence: 12 },
    'Promoted 2.1.0 (210) for Android to Beta, release 12',
    '2.1.0 (210) für Android in Beta freigegeben, Freigabe 12',
  ],
  [
    'release.withdrawn',
    { build_id: 'x', channel_id: 'gone', platform: 'ios', sequence: 3 },
    'Withdrew release 3 for iOS from a channel',
    'Freigabe 3 für iOS aus einem Kanal zurückgezogen',
  ],
  [
    'member.roles_changed',
    { developer_id: 'bob', roles: ['READ', 'BILLING'], previous_roles: ['READ'] },
    'Changed the roles of bob@example.com from “Read” to “Read” and “Billing”',
    'Rollen von bob@example.com geändert: „Lesen“ zu „Lesen“ und „Abrechnung“',
  ],
  ['member.removed', { developer_id: 'ann' }, 'Left the organization', 'Die Organisation verlassen'],
  [
    'member.removed',
    { developer_id: 'bob' },
    'Removed bob@example.com from the organization',
    'bob@example.com aus der Organisation entfernt',
  ],
  [
    'billing.top_up_paid',
    { amount_micro_usd: 25_000_000 },
    'Booked a paid top-up of $25.00',
    'Bezahlte Aufladung von 25,00 $ gebucht',
  ],
  [
    'billing.updated',
    { spend_cap_micro_usd: null, budget_alert_percents: [50, 90] },
    'Set the spending cap to none, alerts at 50 and 90 %',
    'Keine Ausgabengrenze gesetzt, Warnungen bei 50 und 90 %',
  ],
  [
    'billing.period_closed',
    { period: '2026-10' },
    'Closed October 2026 and wrote its statement',
    'Oktober 2026 abgeschlossen und abgerechnet',
  ],
  [
    'billing.plan_changed',
    { plan: 'business', previous: 'team' },
    'Changed the plan from Team to Business',
    'Tarif von Team auf Business geändert',
  ],
  [
    'channel.subscribers_changed',
    { channel_id: 'beta', subscribed: 1, unsubscribed: 2 },
    'Subscribed 1 tester to Beta, unsubscribed 2',
    '1 Tester bei Beta angemeldet, 2 abgemeldet',
  ],
  [
    'tester.platforms_chosen',
    { platforms: ['ios', 'android'] },
    'A tester wants mails about iOS and Android',
    'Ein Tester möchte Mails zu iOS und Android',
  ],
  [
    'audit.pruned',
    { before: '2026-08-22T00:00:00.000Z', events: 1200 },
    'Deleted 1,200 events from before 22 August 2026: the plan keeps no older ones',
    '1.200 Ereignisse von vor dem 22. August 2026 gelöscht: der Tarif bewahrt keine älteren auf',
  ],
  ['build.upload_dropped', { reason: 'expired' }, 'An unfinished upload expired', 'Unfertiger Upload abgelaufen'],
  [
    'webhook.secret_rotated',
    { webhook_id: 'x', name: 'Team chat' },
    'Replaced the secret of the webhook Team chat',
    'Geheimnis des Webhooks Team chat ersetzt',
  ],
  ['webhook.deleted', { webhook_id: 'x' }, 'Deleted a webhook', 'Webhook gelöscht'],
  ['login.succeeded', { developer_id: 'bob' }, 'Logged in', 'Angemeldet'],
];

describe('the sentence of an audit event', () => {
  it.each(CASES)('describes %s with %j', (type, payload, inEnglish, inGerman) => {
    expect(sentences(type, payload)).toEqual([inEnglish, inGerman]);
  });

  // red when: a sentence says that a tester, a token or a person changed, and not which
  it.each([
    ['tester.created', 'tester_id', 'Tess', 'Added Tess', 'Tess hinzugefügt'],
    [
      'project_access_token.revoked',
      'token_id',
      'CI',
      'Revoked the project access token CI',
      'Projektzugriffstoken CI widerrufen',
    ],
    [
      'member.invited',
      'invitation_id',
      'kim@example.com',
      // red when: the name of a role reads as a word of the sentence
      'Invited kim@example.com as “Read”',
      'kim@example.com als „Lesen“ eingeladen',
    ],
  ] as const)('names the object of %s', (type, field, subject, inEnglish, inGerman) => {
    expect(sentences(type, { [field]: 'x', roles: ['READ'] }, NAMES, subject)).toEqual([inEnglish, inGerman]);
  });

  it('has each name as a part of its own', () => {
    const event = { type: 'tester.subscribed', payload: { tester_id: 'x', channel_id: 'beta' }, actor: ACTOR } as const;
    const parts = partsOf({ ...event, subject_label: 'Tess' }, ENGLISH, NAMES);
    expect(parts).toEqual(['Subscribed ', 'Tess', ' to ', 'Beta', '']);
  });

  // A type without words does not compile. Payloads of older versions of the service lack fields.
  it('can be read for every type without a payload and without names', () => {
    const types = Object.keys(english.events) as AuditEventType[];
    const bad = types
      .flatMap((type) => sentences(type, {}, NO_NAMES))
      .filter((text) => !/\S/.test(text) || /undefined|null|NaN/.test(text));
    expect(bad).toEqual([]);
    expect(types.filter((type) => labelOf(type, ENGLISH) === labelOf(type, GERMAN))).toEqual([]);
  });

  it('is the type itself when this version does not know it', () => {
    const event = {
      type: 'moon.landed' as AuditEventType,
      payload: {},
      actor: { kind: 'system', id: null, label: null },
      subject_label: null,
    };
    expect(sentenceOf(event as Parameters<typeof sentenceOf>[0], ENGLISH, NAMES)).toBe('moon.landed');
  });
});
