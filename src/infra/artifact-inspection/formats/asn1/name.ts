import { type WorkBudget } from '../../limits/work-budget';
import { childrenOf, type DerElement } from './der';

/** The tags of the texts that are compared by their characters, as Java's `X500Principal` does. */
const TEXTS = [0x0c, 0x13];

/**
 * Whether two distinguished names are the same: case, the number of spaces and the encoding of a text as UTF8String or PrintableString make
 * no difference. Throws on malformed names.
 */
export function isSameName(one: DerElement, other: DerElement, budget: WorkBudget): boolean {
  return one.raw.equals(other.raw) || canonical(one, budget) === canonical(other, budget);
}

/** Name ::= { set of { type, value }, … }. */
const canonical = (name: DerElement, budget: WorkBudget): string =>
  JSON.stringify(
    childrenOf(name, budget).map((set) =>
      childrenOf(set, budget)
        .map((part) => partOf(part, budget))
        .sort(),
    ),
  );

function partOf(part: DerElement, budget: WorkBudget): string {
  const [type, value, ...further] = childrenOf(part, budget);
  if (!type || !value || further.length > 0) return part.raw.toString('hex');
  const text = TEXTS.includes(value.tag)
    ? value.content.toString('utf8').normalize('NFKD').toLowerCase().trim().replace(/\s+/g, ' ')
    : `#${value.raw.toString('hex')}`;
  return `${type.content.toString('hex')}=${text}`;
}
