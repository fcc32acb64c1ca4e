import { createHash } from 'node:crypto';

export const SLUG = '{slug}';
const MAX_SLUG = 40;
const SUFFIX_CHARS = 7;
const MARKS = /\p{M}/gu;

/**
 * The names that the channel of a branch may get, best first. The first is the name with the branch in lower-case letters, digits and
 * hyphens. Another branch or a channel of a person may have it: the second also has a digest of the branch.
 */
export function channelNamesOf(template: string, branch: string): readonly [string, string] {
  const slug = slugOf(branch);
  const digest = createHash('sha256').update(branch).digest('hex').slice(0, SUFFIX_CHARS);
  const named = (text: string): string => template.replace(SLUG, () => text);
  return [named(slug || digest), named([slug, digest].filter(Boolean).join('-'))];
}

/** Letters without their accents, everything else as hyphens. Empty for a branch without Latin letters and digits. */
const slugOf = (branch: string): string =>
  branch
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_SLUG)
    .replace(/-$/, '');
