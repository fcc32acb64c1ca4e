const SLASH = '/'.charCodeAt(0);
const ONE = '?'.charCodeAt(0);
const STAR = '*'.charCodeAt(0);

/**
 * Whether a branch matches a pattern: `*` stands for any characters but `/`, `**` for any characters, `?` for one character but `/`.
 * Takes time proportional to the product of the lengths, for every pattern.
 */
export function matchesBranch(pattern: string, branch: string): boolean {
  // Whether the pattern so far matches the start of the branch with this length.
  const reached = new Uint8Array(branch.length + 1);
  reached[0] = 1;
  for (let at = 0; at < pattern.length; at += 1) {
    const expected = pattern.charCodeAt(at);
    const isDeep = pattern.startsWith('**', at);
    if (isDeep) at += 1;
    if (expected === STAR) passStar(reached, branch, isDeep);
    else passOne(reached, branch, expected);
    if (!reached.includes(1)) return false;
  }
  return reached[branch.length] === 1;
}

function passStar(reached: Uint8Array, branch: string, isDeep: boolean): void {
  for (let length = 1; length < reached.length; length += 1)
    if (reached[length - 1] === 1 && (isDeep || branch.charCodeAt(length - 1) !== SLASH)) reached[length] = 1;
}

function passOne(reached: Uint8Array, branch: string, expected: number): void {
  for (let length = reached.length - 1; length > 0; length -= 1) {
    const found = branch.charCodeAt(length - 1);
    const isMatch = expected === ONE ? found !== SLASH : found === expected;
    reached[length] = isMatch ? (reached[length - 1] ?? 0) : 0;
  }
  reached[0] = 0;
}
