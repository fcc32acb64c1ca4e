import { mailTemplate, renderMail, translatedMail } from './render-mail';

describe('renderMail', () => {
  const template = mailTemplate<{ name: string; url: string }>({
    subject: ({ name }) => `For ${name}`,
    html: '<p><%= it.name %></p><%~ it.button(it.url, it.name) %>',
    text: '<%= it.name %>: <%= it.url %>\n',
  });

  it('escapes values in HTML, and leaves them unchanged in text and subject', () => {
    const name = `<script>alert(1)</script>"'&`;
    const { subject, html, text } = renderMail(template, { name, url: `https://x.example/"><b>` });
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('"><b>');
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain(`<title>For &lt;script&gt;`);
    expect(text).toContain(`${name}: https://x.example/"><b>`);
    expect(subject).toBe(`For ${name}`);
  });

  it('puts the body into one HTML document of at most 600 px, for light and dark, that loads nothing', () => {
    const { html } = renderMail(template, { name: 'Ann', url: 'https://apps.example.org/?id=1&token=abc' });
    expect(html.match(/<html/g)).toHaveLength(1);
    expect(html).toContain('href="https://apps.example.org/?id=1&amp;token=abc"');
    expect(html).toContain('max-width:600px');
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).not.toMatch(/<(script|img|link|iframe)|url\(/);
  });
});

describe('mailTemplate', () => {
  it('throws when a template does not compile', () => {
    expect(() => mailTemplate({ subject: () => '', html: '<% if ( { %>', text: '' })).toThrow();
  });
});

describe('translatedMail', () => {
  const text = ({ name }: { name: string }) => ({
    subject: `Join ${name}`,
    title: `Join ${name}`,
    paragraphs: [`${name} invites you.`, { url: 'https://apps.example.org/', label: 'Join' }],
  });
  const { en } = translatedMail({ en: text, de: text });

  // red when: paragraphs are rendered as they are
  it('keeps a value within its paragraph, and removes its control and bidi characters', () => {
    const { html, text: plain } = renderMail(en, { name: 'X.\r\n\n\tPay at https://evil.example\u202e\u0007\u2028Y' });
    const paragraph = 'X. Pay at https://evil.example Y invites you.';
    expect(plain).toMatch(new RegExp(`^${paragraph}\n\nhttps://apps\\.example\\.org/\n`));
    expect(html).toContain(`<p>${paragraph}</p>`);
    expect(html).toContain('>Join X. Pay at https://evil.example Y</h1>');
  });
});
