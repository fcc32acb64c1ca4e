import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Cards from 'adaptivecards';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { WEBHOOK_FORMATS, type WebhookEvent, type WebhookFormat } from '../webhook-event';
import { type MessageContext, renderMessage } from './index';

// Node cannot load the ES modules of the library, which are its main file.
const AdaptiveCards = jest.requireActual<typeof Cards>('adaptivecards/dist/adaptivecards');

const BUILD = {
  id: '019a9d5e-0000-7000-8000-000000000001',
  platform: 'ios',
  version: '2.1.0',
  build_number: '210',
  notes: 'The new login.\n\n- Tide tables work offline',
  size_bytes: 67_300_000,
  app: { name: 'Rocket' },
  source: { branch: 'release/2' },
};
const EVENT: WebhookEvent = {
  id: 'evt_019a9d5e-0000-7000-8000-000000000002',
  type: 'build.uploaded',
  timestamp: '2026-11-26T12:00:00.000Z',
  organization_id: '019a9d5e-0000-7000-8000-000000000003',
  project_id: '019a9d5e-0000-7000-8000-000000000004',
  position: 7,
  actor: { kind: 'developer', name: 'Ann' },
  data: { build: BUILD },
};
const CONTEXT: MessageContext = {
  projectName: 'Rocket',
  organizationName: 'Acme',
  buildUrl: 'https://agate.example/o/1/p/2/builds/3',
  installUrl: null,
  previousSizeBytes: null,
};
const CHATS = WEBHOOK_FORMATS.filter((format) => format !== 'standard');

const withNotes = (notes: string): WebhookEvent => ({ ...EVENT, data: { build: { ...BUILD, notes } } });
const render = (format: WebhookFormat, event: WebhookEvent = EVENT, context = CONTEXT): string =>
  renderMessage(format, event, context);

const schemaOf = (name: string): ValidateFunction => {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  addFormats(ajv);
  const file = join(__dirname, '../../../../test/fixtures/chat-schemas', `${name}.json`);
  return ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
};
const SCHEMAS: Partial<Record<WebhookFormat, ValidateFunction>> = {
  slack: schemaOf('slack'),
  discord: schemaOf('discord'),
  google_chat: schemaOf('google-chat'),
};

/** The complaints about a message: of Microsoft's library about cards, else of a schema that we wrote and no vendor has confirmed. */
function faultsOf(format: WebhookFormat, body: string): unknown[] {
  const message = JSON.parse(body) as { attachments?: { content: object }[] };
  if (format === 'teams') return cardFaults(message.attachments![0]!.content);
  const validate = SCHEMAS[format]!;
  return validate(message) ? [] : validate.errors!;
}

function cardFaults(content: object): unknown[] {
  const context = new AdaptiveCards.SerializationContext();
  new AdaptiveCards.AdaptiveCard().parse(content, context);
  return Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
}

/** Every text of a JSON value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
const shown = (body: string): string => textsOf(JSON.parse(body)).join('\n');

describe('renderMessage', () => {
  it.each(CHATS)('writes a message of %s that its schema or library accepts', (format) => {
    const promoted: WebhookEvent = {
      ...EVENT,
      type: 'release.promoted',
      data: { release: { notes: 'Try it.', build: { ...BUILD, app_name: 'Rocket' } }, channel: { name: 'Beta' } },
    };
    const links = { ...CONTEXT, installUrl: 'https://agate.example/install/abc' };
    for (const event of [EVENT, promoted, { ...EVENT, type: 'channel.deleted', data: { channel: null, gone: true } }]) {
      expect(faultsOf(format, render(format, event as WebhookEvent, links))).toEqual([]);
    }
    const text = shown(render(format, promoted, links));
    for (const part of ['Rocket 2.1.0 (210) was released to Beta', 'iOS', 'Beta', '67.3 MB', 'Try it.', 'Acme'])
      expect(text).toContain(part);
    expect(text).toContain('https://agate.example/install/abc');
  });

  // red when: the library accepts everything, and the test above proves nothing
  it('is checked by a library that reports a misspelt element', () => {
    expect(cardFaults({ type: 'AdaptiveCard', version: '1.4', body: [{ type: 'TextBlok', text: 'x' }] }).length).toBe(
      1,
    );
  });

  it.each(CHATS)('shows in %s the branch, the actor, and the change of the size', (format) => {
    const text = shown(render(format, EVENT, { ...CONTEXT, previousSizeBytes: 66_000_000 }));
    for (const part of ['release/2', 'Ann', '67.3 MB (+1.3 MB)', 'Tide tables work offline'])
      expect(text).toContain(part);
  });

  it.each(CHATS)('marks a test in %s', (format) => {
    expect(shown(render(format, { ...EVENT, test: true }))).toContain('Test: Rocket 2.1.0 (210) was uploaded');
  });

  it.each(CHATS)('says in %s what of a signature expires, and when', (format) => {
    const expiring = (days: number, what: string): WebhookEvent => ({
      ...EVENT,
      type: 'build.signing_expires',
      data: { build: BUILD, what, days_left: days },
    });
    const profile = 'The provisioning profile of Rocket 2.1.0 (210) expires in 7 days';
    expect(shown(render(format, expiring(7, 'profile')))).toContain(profile);
    const certificate = 'The signing certificate of Rocket 2.1.0 (210) expires tomorrow';
    expect(shown(render(format, expiring(1, 'certificate')))).toContain(certificate);
  });

  it.each(CHATS)('names the deed in %s when its object was deleted', (format) => {
    const text = shown(render(format, { ...EVENT, data: { build: null, gone: true } }));
    expect(text).toContain('A build was uploaded');
  });

  it('cuts notes at 800 characters without splitting one', () => {
    const { blocks } = JSON.parse(render('slack', withNotes('😀'.repeat(2000)))) as {
      blocks: { text?: { text: string } }[];
    };
    const notes = blocks.map(({ text }) => text?.text ?? '').find((text) => text.startsWith('😀'))!;
    expect([...notes]).toHaveLength(800);
    expect(notes.endsWith('😀…')).toBe(true);
  });

  it('sends the event itself as `standard`, with the install link where the webhook includes links', () => {
    expect(JSON.parse(render('standard'))).toEqual(EVENT);
    expect(JSON.parse(render('standard', EVENT, { ...CONTEXT, installUrl: 'https://a.example/i' }))).toMatchObject({
      data: { install_url: 'https://a.example/i' },
    });
  });
});

describe('hostile notes', () => {
  const HOSTILE = [
    '<!channel> <!here> <!everyone> <@U1> <#C1> <https://evil.example|Download>',
    '@everyone @here <@&1> <@!1> <t:1> <:a:1>',
    '<users/all> <a href="https://evil.example">Download</a>',
    '[Download](https://evil.example) ![x](https://evil.example/x.png) [a][b]\n[b]: https://evil.example',
    '# Big\n> quote\n- item\n```js\nx\n``` **b** __u__ ~~s~~ ||spoiler||',
    'safe\u202egpj.exe \u2066x\u2069 \u0000\u0007\u001b[31mred \ud800',
  ].join('\n');

  it.each(CHATS)('make a message of %s that its schema or library accepts', (format) => {
    expect(faultsOf(format, render(format, withNotes(HOSTILE)))).toEqual([]);
  });

  // red when: `cleanText` is not applied to notes
  it.each(CHATS)('reach %s without control and bidi characters', (format) => {
    expect(shown(render(format, withNotes(HOSTILE))).replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u,
    );
  });

  // red when: `escapeEntities` is removed from a block, or `escapeMarkdown` from the text for Mattermost
  it('notify nobody in Slack and Mattermost, and make no link', () => {
    const event = withNotes(HOSTILE);
    const { text, blocks } = JSON.parse(render('slack', event, { ...CONTEXT, buildUrl: null })) as {
      text: string;
      blocks: unknown;
    };
    expect(text).not.toMatch(/[<>]|@\w|\]\(|\]\[|\]:/);
    for (const block of textsOf(blocks)) expect(block).not.toMatch(/[<>]/);
  });

  // red when: `escape` of the description is removed
  it('notify nobody in Discord, and hide no address', () => {
    const { embeds, allowed_mentions } = JSON.parse(
      render('discord', withNotes(HOSTILE), { ...CONTEXT, buildUrl: null }),
    ) as {
      embeds: [{ description: string }];
      allowed_mentions: unknown;
    };
    expect(allowed_mentions).toEqual({ parse: [] });
    expect(embeds[0].description).not.toMatch(/(?<!\\)[<>[\]*_~`|]|@\w|^[#>-]/m);
  });

  // red when: `escapeEntities` of the paragraph or `escapePlain` of the title is removed
  it('notify nobody in Google Chat, and make no link', () => {
    const event = {
      ...withNotes(HOSTILE),
      data: { build: { ...BUILD, notes: HOSTILE, app: { name: '<users/all>' } } },
    };
    for (const text of textsOf(JSON.parse(render('google_chat', event)))) expect(text).not.toMatch(/<[^\u200b]/);
  });

  // red when: notes are a TextBlock, which is read as Markdown
  it('are runs of text in Teams, which are not Markdown', () => {
    const body = render('teams', withNotes(HOSTILE));
    expect(body).not.toContain('"TextBlock"');
    expect(body).not.toContain('FactSet');
    expect(shown(body)).not.toContain('](');
  });

  it('and hostile names of apps, channels and people keep within the limits of every chat', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 6000 });
    const symbols = fc
      .array(fc.constantFrom('<', '&', '*', '@', '\\', '](', '\n', '😀', 'https://x.example/_', ' '), {
        maxLength: 3000,
      })
      .map((parts) => parts.join(''));
    const hostile = fc.oneof(anything, symbols);
    fc.assert(
      fc.property(hostile, hostile, hostile, (notes, name, channel) => {
        const event: WebhookEvent = {
          ...EVENT,
          type: 'release.promoted',
          actor: { kind: 'developer', name },
          data: {
            release: { notes },
            build: { ...BUILD, version: name, build_number: name, app: { name }, source: { branch: name } },
            channel: { name: channel },
            tester: { email: name },
          },
        };
        const context = { ...CONTEXT, projectName: name, organizationName: channel };
        for (const format of CHATS) {
          const body = render(format, event, context);
          expect(Buffer.byteLength(body)).toBeLessThan(20_000);
          expect(faultsOf(format, body)).toEqual([]);
        }
        const [embed] = (JSON.parse(render('discord', event, context)) as { embeds: [object] }).embeds;
        expect(textsOf(embed).join('').length).toBeLessThanOrEqual(6000);
      }),
      { numRuns: 40 },
    );
  });
});
