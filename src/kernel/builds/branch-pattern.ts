/**
 * Whether a branch matches a pattern: `*` stands for any characters but `/`, `**` for any characters, `?` for one character but `/`.
 * Takes time proportional to the product of the lengths, whatever the pattern is.
 */
export function matchesBranch(pattern: string, branch: string): boolean {
  // The lengths of the starts of the branch that the pattern so far matches.
  let reached: readonly boolean[] = startsOf(branch, (at) => at === 0);
  for (let at = 0; at < pattern.length; at += 1) {
    const isDeep = pattern.startsWith('**', at);
    const before = reached;
    if (isDeep) at += 1;
    reached = pattern[at] === '*' ? afterStar(before, branch, isDeep) : afterOne(before, branch, pattern[at] ?? '');
  }
  return reached[branch.length] ?? false;
}

const startsOf = (branch: string, isReached: (length: number) => boolean): boolean[] =>
  Array.from({ length: branch.length + 1 }, (_, length) => isReached(length));

function afterStar(before: readonly boolean[], branch: string, isDeep: boolean): readonly boolean[] {
  let isOpen = false;
  return startsOf(branch, (length) => {
    if (!isDeep && length > 0 && branch[length - 1] === '/') isOpen = false;
    return (isOpen ||= before[length] ?? false);
  });
}

const afterOne = (before: readonly boolean[], branch: string, character: string): readonly boolean[] =>
  startsOf(branch, (length) => {
    if (length === 0 || !before[length - 1]) return false;
    return character === '?' ? branch[length - 1] !== '/' : branch[length - 1] === character;
  });
