import { type AttachmentKind } from './generated';

/** What files beside the artifact of a build are for, in the order of lists. */
export const ATTACHMENT_KINDS = [
  'update',
  'blockmap',
  'dsym',
  'mapping',
  'native',
  'source_map',
  'sbom',
  'other',
] as const satisfies readonly AttachmentKind[];

const BY_NAME: readonly (readonly [RegExp, AttachmentKind])[] = [
  [/\.blockmap$/i, 'blockmap'],
  [/\.dsym(\.zip)?$/i, 'dsym'],
  [/mapping[^/]*\.txt$/i, 'mapping'],
  [/\.map$/i, 'source_map'],
  [/\.(cdx|spdx|sbom)\.json$/i, 'sbom'],
];

/** What a file is for, by its name. A name that says nothing is that of a package for updaters. */
export const attachmentKindOf = (fileName: string): AttachmentKind =>
  BY_NAME.find(([pattern]) => pattern.test(fileName))?.[1] ?? 'update';
