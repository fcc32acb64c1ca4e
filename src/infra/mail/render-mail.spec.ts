import { type MailPart, type MailText } from './mail-parts';
import { renderMail, translatedMail } from './render-mail';

const HOSTILE = `<script>alert(1)</script>"'&`;

const render = (paragraphs: readonly MailPart[], text: Partial<MailText> = {}) => {
  const make = (): MailText => ({ subject: 'Subject', title: 'Title', paragraphs, ...text });
  return renderMail(translatedMail({ en: make, de: make }).en, {});
};

describe('renderMail', () => {
  it('escapes every part in HTML, and leaves it unchanged in text and subject', () => {
    const app = { name: HOSTILE, version: HOSTILE, platform: HOSTILE, icon: null };
    const { subject, html, text } = render(
      [
        HOSTILE,
        { url: `https://x.example/"><b>`, label: HOSTILE },
        { app: { ...app, notes: `${HOSTILE} **${HOSTILE}**`, changes: HOSTILE, problem: HOSTILE } },
        { footnote: HOSTILE, link: { url: `https://x.example/"><b>`, label: HOSTILE } },
        { qr: 'code', alt: HOSTILE, text: HOSTILE },
        { list: [{ name: HOSTILE, detail: HOSTILE, url: `https://x.example/"><b>` }] },
      ],
      { subject: HOSTILE, title: HOSTILE, eyebrow: HOSTILE, sentBy: HOSTILE },
    );
    expect(html).not.toMatch(/<script|"><b>/);
    expect(html.split('&lt;script&gt;')).toHaveLength(20);
    expect(text).toContain(HOSTILE);
    expect(subject).toBe(HOSTILE);
  });

  it('puts the body into one HTML document of at most 600 px, for light and dark, that loads nothing', () => {
    const { html } = render([{ url: 'https://apps.example.org/?id=1&token=abc', label: 'Open' }]);
    expect(html.match(/<html/g)).toHaveLength(1);
    expect(html).toContain('href="https://apps.example.org/?id=1&amp;token=abc"');
    expect(html).toContain('max-width:600px');
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).not.toMatch(/<(script|img|link|iframe)|url\(/);
  });

  it('shows the notes of an app with links and lists, and as they were typed in plain text', () => {
    const notes = 'Now **faster**: https://x.example/7.\n\n- One *and*\n- `Two`';
    const { html, text } = render([
      { app: { name: 'Harbour', version: '2.4.0 (318)', platform: 'iOS', icon: 'i', notes } },
    ]);
    expect(html).toMatch(
      /Now <strong>faster<\/strong>: <a class="link" href="https:\/\/x\.example\/7"[^>]*>https:\/\/x\.example\/7<\/a>\./,
    );
    expect(html.match(/<li /g)).toHaveLength(2);
    expect(html).toContain('One <em>and</em></li>');
    expect(html).toContain('<code>Two</code></li>');
    expect(html).toContain('<img src="cid:i" width="48" height="48"');
    expect(text).toContain(`Harbour 2.4.0 (318), iOS\n\n${notes}`);
  });

  // red when: the plain text has the characters that show the host of an address backwards
  it('removes the characters that reorder a line from the notes, in both parts', () => {
    const notes = 'See https://x.example/\u202egro.knab\u202c\n\u2066end\u2069';
    const { html, text } = render([{ app: { name: 'Harbour', version: '1', platform: 'iOS', icon: null, notes } }]);
    expect(text).toContain('See https://x.example/gro.knab\nend');
    expect(html + text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('shows a list as rows, whose names are links, and as lines in plain text', () => {
    const list = [
      { name: '2.1.0 (210)', detail: 'in Beta', url: 'https://x.example/b/1' },
      { name: '2.0.0', detail: 'in\nStore', url: null },
    ];
    const { html, text } = render([{ list }]);
    expect(html).toMatch(/<a class="link" href="https:\/\/x\.example\/b\/1"[^>]*>2\.1\.0 \(210\)<\/a>/);
    expect(html).toMatch(/<strong [^>]*>2\.0\.0<\/strong>/);
    expect(text).toContain('- 2.1.0 (210): in Beta\n  https://x.example/b/1\n- 2.0.0: in Store');
  });

  it('shows the first letter of an app without an icon', () => {
    const { html } = render([{ app: { name: 'Harbour', version: '1', platform: 'iOS', icon: null } }]);
    expect(html).not.toContain('<img');
    expect(html).toMatch(/>H<\/td>/);
  });

  it('names the organization below a mail that one sends', () => {
    expect(render(['x'], { sentBy: 'Acme' }).text).toContain('Acme sends you test versions with Agate.');
    expect(render(['x']).text).toContain('Agate: pre-release builds for testers.');
  });
});

describe('translatedMail', () => {
  const text = ({ name }: { name: string }) => ({
    subject: `Join ${name}`,
    title: `Join ${name}`,
    paragraphs: [`${name} invites you.`, { url: 'https://apps.example.org/', label: `Join ${name}` }],
  });
  const { en } = translatedMail({ en: text, de: text });

  // red when: paragraphs, labels of links or subjects are rendered as they are
  it('keeps a value within its part, and removes its control and bidi characters', () => {
    const name = 'X.\r\n\n\tPay at https://evil.example\u202e\u0007\u2028Y';
    const { html, text: plain, subject } = renderMail(en, { name });
    const shown = 'X. Pay at https://evil.example Y';
    expect(plain.split('\n\n').slice(0, 2)).toEqual([
      `${shown} invites you.`,
      `Join ${shown}:\nhttps://apps.example.org/`,
    ]);
    expect(html).toContain(`>${shown} invites you.</p>`);
    expect(html).toContain(`>Join ${shown}</h1>`);
    expect(html).toContain(`>Join ${shown}</a>`);
    expect(html).toContain(`<title>Join ${shown}</title>`);
    expect(subject).toBe(`Join ${shown}`);
  });
});
