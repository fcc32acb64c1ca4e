/** A piece of a line. */
export interface Span {
  readonly text: string;
  readonly isBold?: true;
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
/** `**bold**`, `[text](https://…)` or an address. No repetition can match the same text in two ways, so the time is linear. */
const MARK =
  /\*\*(?<bold>[^*\n]+)\*\*|\[(?<label>[^[\]\n]{1,200})\]\((?<target>https?:\/\/[^\s()<>"]{1,2000})\)|(?<url>https?:\/\/[^\s<>"]{1,2000})/g;
/** They would show the host of a link backwards, or what follows it as a part of it. Marks of direction stay. */
const EMBEDDINGS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Notes as they were typed, without the characters that reorder a line. */
export const plainNotes = (text: string): string => text.replace(EMBEDDINGS, '').trim();

/** Punctuation after an address belongs to the sentence. */
const AFTER_ADDRESS = /[.,;:!?'*_\])}]+$/;

/**
 * Reads the notes of a build, in which people use a little Markdown: bold text, links, lists and headings. Everything else stays as it was
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
    const { bold: strong, label, target, url } = match.groups ?? {};
    spans.push({ text: line.slice(from, match.index) });
    from = match.index + match[0].length;
    if (strong !== undefined) spans.push(...bold(strong));
    else if (label !== undefined && target !== undefined) spans.push(...namedLink(label, target));
    else if (url !== undefined) {
      const address = url.replace(AFTER_ADDRESS, '');
      spans.push(link(address, address), { text: url.slice(address.length) });
    }
  }
  spans.push({ text: line.slice(from) });
  return spans.filter(({ text }) => text !== '');
}

const link = (text: string, href: string): Span => (URL.canParse(href) ? { text, href } : { text });

/** Followed by the host, because a link must not hide where it leads. */
const namedLink = (label: string, href: string): Span[] =>
  URL.canParse(href) ? [{ text: label, href }, { text: ` (${new URL(href).host})` }] : [{ text: `${label} (${href})` }];
