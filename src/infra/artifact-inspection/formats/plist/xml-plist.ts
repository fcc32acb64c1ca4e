import { type PlistValue as ParsedValue, parse } from 'plist';
import { LIMITS } from '../../limits';
import { inspectionError } from '../../inspection-errors';
import { type WorkBudget } from '../../work-budget';
import { type PlistValue } from './plist-value';

/** The tags of a property list. Only the root has attributes, so no tag can hide behind a quoted `>`. */
const TAG = /^<(\/?)(plist|dict|array|key|string|integer|real|data|date|true|false)\s*(\/?)>$/;
const ROOT = /^<plist\s+version\s*=\s*("[^"]*"|'[^']*')\s*>$/;
const PROLOGUE = /^(<\?xml [^<>]*\?>|<!DOCTYPE plist( (PUBLIC|SYSTEM))?( "[^"[\]]*"){0,2}\s*>)$/;
const FOREIGN_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;
const SECTIONS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;

/**
 * Reads an XML property list. Checks its tags, depth and entities before it calls the XML library, because that library uses more time and
 * stack with every level. Real property lists declare no entities. Throws on anything else.
 */
export function readXmlPlist(text: string, budget: WorkBudget): PlistValue {
  const start = text.indexOf('<');
  if (start < 0) throw inspectionError('unreadable');
  const xml = text.slice(start);
  checkShape(xml, budget);
  return toPlain(parse(xml));
}

function checkShape(xml: string, budget: WorkBudget): void {
  let depth = 0;
  for (let at = 0, next = 0; next >= 0; next = xml.indexOf('<', at)) {
    if (FOREIGN_ENTITY.test(xml.slice(at, next))) throw inspectionError('unreadable');
    at = next;
    const section = SECTIONS.find(([opening]) => xml.startsWith(opening, at));
    const closing = section?.[1] ?? '>';
    const end = xml.indexOf(closing, at);
    if (end < 0) throw inspectionError('unreadable');
    if (!section) depth += depthChange(xml.slice(at, end + 1));
    budget.countElements(LIMITS.xmlNodeElements);
    if (depth > LIMITS.treeDepth) throw inspectionError('too_complex');
    at = end + closing.length;
  }
}

function depthChange(tag: string): number {
  if (tag.length > 512) throw inspectionError('unreadable');
  const known = TAG.exec(tag);
  if (known) return known[1] === '/' ? -1 : known[3] === '/' ? 0 : 1;
  if (ROOT.test(tag)) return 1;
  if (PROLOGUE.test(tag)) return 0;
  throw inspectionError('unreadable');
}

function toPlain(value: ParsedValue): PlistValue {
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date || Buffer.isBuffer(value)) return value;
  return new Map(Object.entries(value as Record<string, ParsedValue>).map(([key, member]) => [key, toPlain(member)]));
}
