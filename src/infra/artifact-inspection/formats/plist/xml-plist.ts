import { inspectionError } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { type WorkBudget } from '../../limits/work-budget';
import { type PlistDict, type PlistValue } from './plist-value';

/** The markup that may separate two texts. Only the root and the prologue have attributes, so no tag can hide behind a quoted `>`. */
const MARKUP = new RegExp(
  [
    String.raw`<(?<close>\/?)(?<name>plist|dict|array|key|string|integer|real|data|date|true|false)\s*(?<empty>\/?)>`,
    String.raw`<(?<root>plist)\s+version\s*=\s*(?:"[^"<]*"|'[^'<]*')\s*>`,
    String.raw`(?<comment><!--)`,
    String.raw`(?<section><!\[CDATA\[)`,
    String.raw`(?<prologue><\?xml\s[^<>]{0,500}\?>|<!DOCTYPE\s+plist(?:\s+(?:PUBLIC|SYSTEM))?(?:\s+"[^"[\]]{0,500}"){0,2}\s*>)`,
  ].join('|'),
  'y',
);
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The value of each tag whose content is a text. */
const LEAVES: Readonly<Record<string, (text: string) => PlistValue>> = {
  string: (text) => text,
  integer: (text) => Number.parseInt(required(text), 10),
  real: (text) => Number.parseFloat(required(text)),
  date: (text) => new Date(required(text)),
  data: (text) => Buffer.from(text.replaceAll(/\s+/g, ''), 'base64'),
  true: () => true,
  false: () => false,
};

interface Tag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
}

/** Reads an XML property list. Real property lists declare no entities. Throws on anything else. */
export function readXmlPlist(text: string, budget: WorkBudget): PlistValue {
  return new XmlPlistReader(text, budget).read();
}

class XmlPlistReader {
  private at = 0;
  /** The text before the current tag, without comments. */
  private text = '';

  constructor(
    private readonly xml: string,
    private readonly budget: WorkBudget,
  ) {}

  read(): PlistValue {
    // Some writers leave bytes before the first tag.
    this.at = Math.max(0, this.xml.indexOf('<'));
    if (!isTag(this.next(), 'plist', 'open')) throw inspectionError('unreadable');
    const value = this.value(this.next(), 1);
    if (!isTag(this.next(), 'plist', 'close') || this.next() !== null) throw inspectionError('unreadable');
    return value;
  }

  private value(tag: Tag | null, depth: number): PlistValue {
    if (depth > LIMITS.treeDepth) throw inspectionError('too_complex');
    if (tag?.name === 'dict') return this.dict(tag, depth);
    if (tag?.name === 'array') return this.array(tag, depth);
    const toValue = tag && LEAVES[tag.name];
    if (!toValue) throw inspectionError('unreadable');
    return toValue(this.textOf(tag));
  }

  private dict(tag: Tag, depth: number): PlistDict {
    const dict: PlistDict = new Map();
    for (let key = this.firstIn(tag); !isTag(key, tag.name, 'close'); key = this.next()) {
      if (key?.name !== 'key') throw inspectionError('unreadable');
      const name = this.textOf(key);
      dict.set(name, this.value(this.next(), depth + 1));
    }
    return dict;
  }

  private array(tag: Tag, depth: number): PlistValue[] {
    const items: PlistValue[] = [];
    for (let item = this.firstIn(tag); !isTag(item, tag.name, 'close'); item = this.next()) {
      items.push(this.value(item, depth + 1));
    }
    return items;
  }

  /** The text between a tag and its end. */
  private textOf(tag: Tag): string {
    const end = this.firstIn(tag);
    if (!isTag(end, tag.name, 'close')) throw inspectionError('unreadable');
    return this.text;
  }

  /** The tag after an opening tag. For an empty tag, the closing tag that it implies. */
  private firstIn({ name, kind }: Tag): Tag | null {
    if (kind === 'close') throw inspectionError('unreadable');
    if (kind === 'open') return this.next();
    this.text = '';
    return { name, kind: 'close' };
  }

  /** Moves to the next tag. Null at the end of the document. */
  private next(): Tag | null {
    this.text = '';
    for (;;) {
      const start = this.xml.indexOf('<', this.at);
      this.text += decoded(this.xml.slice(this.at, start < 0 ? undefined : start));
      if (start < 0) return null;
      this.budget.countElements();
      MARKUP.lastIndex = start;
      const found = MARKUP.exec(this.xml)?.groups;
      if (!found) throw inspectionError('unreadable');
      this.at = MARKUP.lastIndex;
      const { name, root, comment, section } = found;
      if (root) return { name: root, kind: 'open' };
      if (name) return { name, kind: kindOf(found) };
      if (comment) this.skipTo('-->');
      if (section) this.text += this.skipTo(']]>');
    }
  }

  /** Moves behind the end of a section. @returns its content. */
  private skipTo(end: string): string {
    const at = this.xml.indexOf(end, this.at);
    if (at < 0) throw inspectionError('unreadable');
    const content = this.xml.slice(this.at, at);
    this.at = at + end.length;
    return content;
  }
}

function kindOf({ close, empty }: Readonly<Record<string, string>>): Tag['kind'] {
  if (close && empty) throw inspectionError('unreadable');
  return close ? 'close' : empty ? 'empty' : 'open';
}

const isTag = (tag: Tag | null, name: string, kind: Tag['kind']): boolean => tag?.name === name && tag.kind === kind;

function decoded(text: string): string {
  const withLines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  if (!withLines.includes('&')) return withLines;
  return withLines.replaceAll(ENTITY, (_, name: string | undefined, decimal: string | undefined, hex: string) => {
    if (name) return ENTITIES[name]!;
    // Throws above the last code point, and for an ampersand that begins no entity.
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

function required(text: string): string {
  if (text === '') throw inspectionError('unreadable');
  return text;
}
