const PART = /\d+|[a-z]+/g;

/**
 * Compares two versions leniently, because developers choose them freely: numbers by value, missing numbers as 0, words before numbers
 * (`2.0-beta` < `2.0`), ignoring a leading `v` and case.
 * @returns a negative number, zero or a positive number, as for `Array.sort`.
 */
export function compareVersions(a: string, b: string): number {
  const left = partsOf(a);
  const right = partsOf(b);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = compareParts(left[index] ?? '0', right[index] ?? '0');
    if (difference !== 0) return difference;
  }
  return 0;
}

const partsOf = (version: string): string[] =>
  version
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .match(PART) ?? [];

function compareParts(a: string, b: string): number {
  const numbers = [a, b].map((part) => /^\d/.test(part));
  if (numbers[0] !== numbers[1]) return numbers[0] ? 1 : -1;
  if (!numbers[0]) return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
