// Generated from src/kernel/text/marked-text.ts by `npm run generate`. Do not edit.

/** A piece of a line. */
export interface Span {
  readonly text: string;
  readonly isBold?: true;
  readonly isItalic?: true;
  readonly isCode?: true;
  /** An http or https address. Absent for plain text. */
  readonly href?: string;
}

/** A paragraph of lines, or a list of items. */
export interface MarkedBlock {
  readonly kind: 'paragraph' | 'list';
  readonly lines: readonly (readonly Span[])[];
}

const ITEM = /^\s*[-*•]\s+(?=\S)/;
const HEADING = /^#{1,6}\s+(?=\S)/;
/**
 * Code, `**bold**`, `*italic*`, `_italic_`, `[text](https://…)` or an address. No repetition can match the same text in two ways, and each
 * ends at its own mark or after a maximum, so the time is linear. A mark of italic text is none inside a word or a pattern: `max_file_size`,
 * `src/*.ts`.
 */
const MARK =
  /`(?<code>[^`\n]+)`|\*\*(?<bold>[^*\n]+)\*\*|(?<![^\s('"„“‚‘])\*(?=[^\s*])(?<star>[^*\n]+)(?<=\S)\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])_(?=[^\s_])(?<line>[^_\n]+)(?<=\S)_(?![\p{L}\p{N}_])|\[(?<label>[^[\]\n]{1,200})\]\((?<target>https?:\/\/[^\s()<>"]{1,2000})\)|(?<url>https?:\/\/[^\s<>"]{1,2000})/gu;
/** They would show the host of a link backwards, or what follows it as a part of it. Marks of direction stay. */
const EMBEDDINGS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Notes as they were typed, without the characters that reorder a line. */
export const plainNotes = (text: string): string => text.replace(EMBEDDINGS, '').trim();

/** Punctuation after an address belongs to the sentence. Tried only where it begins, so that the time is linear. */
const AFTER_ADDRESS = /(?<![.,;:!?'*_\])}])[.,;:!?'*_\])}]+$/;

/**
 * Reads the notes of a build, in which people use a little Markdown: bold and italic text, code, links, lists and headings. Everything else stays as it was
 * typed. The result is data; templates escape it.
 */
export function markedBlocks(text: string): readonly MarkedBlock[] {
  const blocks: { kind: MarkedBlock['kind']; lines: Span[][] }[] = [];
  let isOpen = false;
  for (const line of plainNotes(text).split(/\r?\n/)) {
    if (line.trim() === '') {
      isOpen = false;
      continue;
    }
    const kind = ITEM.test(line) ? 'list' : 'paragraph';
    const spans = HEADING.test(line) ? bold(line.replace(HEADING, '')) : spansOf(line.replace(ITEM, '').trimEnd());
    const last = isOpen ? blocks.at(-1) : undefined;
    if (last?.kind === kind) last.lines.push(spans);
    else blocks.push({ kind, lines: [spans] });
    isOpen = true;
  }
  return blocks;
}

const bold = (text: string): Span[] => spansOf(text.replaceAll('**', '')).map((span) => ({ ...span, isBold: true }));

function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of line.matchAll(MARK)) {
    const { code, bold: strong, star, line: italic = star, label, target, url } = match.groups ?? {};
    spans.push({ text: line.slice(from, match.index) });
    from = match.index + match[0].length;
    if (code !== undefined) spans.push({ text: code, isCode: true });
    else if (strong !== undefined) spans.push(...bold(strong));
    else if (italic !== undefined) spans.push(...spansOf(italic).map((span) => ({ ...span, isItalic: true as const })));
    else if (label !== undefined && target !== undefined) spans.push(...namedLink(label, target));
    else if (url !== undefined) {
      const address = url.replace(AFTER_ADDRESS, '');
      spans.push(...bareLink(address), { text: url.slice(address.length) });
    }
  }
  spans.push({ text: line.slice(from) });
  return spans.filter(({ text }) => text !== '');
}

/** An address that does not show its host, as after `user@` or in letters of other alphabets, is followed by it. */
function bareLink(href: string): Span[] {
  if (!URL.canParse(href)) return [{ text: href }];
  const { origin, username, password } = new URL(href);
  const showsHost = username === '' && password === '' && href.toLowerCase().startsWith(origin);
  return showsHost ? [{ text: href, href }] : namedLink(href, href);
}

/** Followed by the host, because a link must not hide where it leads. */
const namedLink = (label: string, href: string): Span[] =>
  URL.canParse(href) ? [{ text: label, href }, { text: ` (${new URL(href).host})` }] : [{ text: `${label} (${href})` }];
