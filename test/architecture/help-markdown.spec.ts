import { renderMarkdown } from '../../scripts/help/render-markdown.mjs';

const render = (markdown: string) =>
  renderMarkdown(
    { file: 'docs/guide.md', markdown: `# The guide\n\n${markdown}` },
    {
      linkTo: (file) => (file.startsWith('docs/') ? `/help/${file.slice(5, -3)}` : null),
      image: (file) => ({ address: `/help/assets/${file.split('/').at(-1)}`, width: 800, height: 600 }),
    },
  );
const htmlOf = (markdown: string): string => render(markdown).html.trim();

describe('a document at /help', () => {
  it('begins with its title, which is not repeated', () => {
    expect(render('Text.')).toMatchObject({ title: 'The guide', html: '<p>Text.</p>\n' });
    expect(() =>
      renderMarkdown({ file: 'x.md', markdown: 'Text.' }, { linkTo: () => null, image: () => null! }),
    ).toThrow('x.md does not begin with a title.');
  });

  it('has the anchors of GitHub at its headings', () => {
    const { headings } = render('## `MAIL_URL`, and more!\n\n## Über uns\n\n### Twice\n\n### Twice\n');
    expect(headings.map(({ id }) => id)).toEqual(['mail_url-and-more', 'über-uns', 'twice', 'twice-1']);
  });

  // red when: a later mention takes the anchor of the row that explains the word
  it('has an anchor at each word that a table explains, in the first column before the second', () => {
    const { html, ids } = render(
      '| reason | word |\n|---|---|\n| see `second_word` | `first_word` |\n| `first_word` | `a b`, `/path` |\n',
    );
    expect([...ids].filter((id) => id.includes('_'))).toEqual(['second_word', 'first_word']);
    expect(html).toContain('<tr><td><code id="first_word">first_word</code></td>');
    expect(html.match(/id="/g)).toHaveLength(2);
  });

  // red when: the row of a command is named by a word in its explanation
  it('has an anchor at the command or option with which a row begins', () => {
    const rows = [
      '`agate promote <build> --channel <name>` | `latest`',
      '`agate login`, `logout` | see',
      '`--ci <name>` | `none`',
    ];
    const { html } = render(`| command | does |\n|---|---|\n${rows.map((row) => `| ${row} |\n`).join('')}`);
    const ids = [...html.matchAll(/<code id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['agate-promote', 'agate-login', 'logout', '--ci']);
  });

  it('leads to other documents, and names files that are not served', () => {
    const { html, links } = render(
      '[One](other.md#part), [two](../src/app.ts), [three](#here), [four](https://a.example.net)',
    );
    expect(html).toContain(
      '<a href="/help/other#part">One</a>, two, <a href="/help/guide#here">three</a>, <a href="https://a.example.net">four</a>',
    );
    expect(links.map(({ address }) => address)).toEqual(['/help/other#part', '/help/guide#here']);
  });

  it('does not lead to addresses that are examples', () => {
    expect(htmlOf('http://localhost:3000 and https://agate.example.com/x')).not.toContain('<a');
  });

  it('shows pictures with their size, so that nothing moves when they arrive', () => {
    expect(htmlOf('![A build](images/build.png)')).toBe(
      '<p><img src="/help/assets/build.png" alt="A build" width="800" height="600" loading="lazy"></p>',
    );
  });

  // red when: markup in a document becomes markup of the page
  it('shows what looks like markup as text, and no comment', () => {
    expect(htmlOf('Bearer <token> <script>alert(1)</script>')).toBe(
      '<p>Bearer &lt;token&gt; &lt;script&gt;alert(1)&lt;/script&gt;</p>',
    );
    expect(htmlOf('<!-- Generated. -->\n\nText.')).toBe('<p>Text.</p>');
    expect(htmlOf('```html" onclick="x\n<b>\n```')).not.toMatch(/<b>|" onclick="/);
    expect(htmlOf('[x](javascript:alert(1))')).not.toContain('javascript:alert(');
  });
});
