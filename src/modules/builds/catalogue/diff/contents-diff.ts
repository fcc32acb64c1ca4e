import {
  type ArtifactContents,
  CONTENT_KINDS,
  type ContentFile,
  type ContentKind,
} from '#infra/artifact-inspection/inspected-artifact';

/** The number of files in a comparison. */
const COMPARED_FILES = 50;

interface SizeChange {
  /** Null when there was none. */
  readonly from: number | null;
  /** Null when there is none. */
  readonly to: number | null;
}

/** The differences between the contents of two builds, in bytes of the artifact. */
export interface ContentsDiff {
  /** The kinds whose sizes differ. */
  readonly kinds: readonly (SizeChange & { readonly kind: ContentKind })[];
  /** The files whose sizes differ, the largest differences first. */
  readonly files: readonly (SizeChange & { readonly path: string })[];
  /** The number of further files. */
  readonly furtherFiles: number;
}

/** Compares the contents of two builds. Null when they have the same sizes. */
export function contentsDiff(before: ArtifactContents, after: ArtifactContents): ContentsDiff | null {
  const kinds = CONTENT_KINDS.map((kind) => ({
    kind,
    from: before.sizes[kind] ?? null,
    to: after.sizes[kind] ?? null,
  })).filter(({ from, to }) => from !== to);
  const files = fileChanges(before, after);
  if (kinds.length === 0 && files.length === 0) return null;
  return {
    kinds,
    files: files.slice(0, COMPARED_FILES),
    furtherFiles: Math.max(0, files.length - COMPARED_FILES),
  };
}

function fileChanges(before: ArtifactContents, after: ArtifactContents): ContentsDiff['files'] {
  const [old, now] = [sizesOf(before), sizesOf(after)];
  const paths = new Set([...old.keys(), ...now.keys()]);
  return [...paths]
    .map((path) => ({ path, from: old.get(path) ?? null, to: now.get(path) ?? null }))
    .filter(({ from, to }) => from !== to)
    .filter(
      ({ from, to }) => (from !== null || isKnownAbsent(before, to)) && (to !== null || isKnownAbsent(after, from)),
    )
    .sort((a, b) => differenceOf(b) - differenceOf(a) || (a.path < b.path ? -1 : 1));
}

const sizesOf = ({ files }: ArtifactContents): Map<string, number> =>
  new Map(files.map(({ path, sizeBytes }: ContentFile) => [path, sizeBytes]));

/** Only the largest files are recorded. One that is smaller than these may be among the others, with the same size. */
const isKnownAbsent = ({ files, fileCount }: ArtifactContents, sizeBytes: number | null): boolean =>
  files.length === fileCount || (sizeBytes ?? 0) > (files.at(-1)?.sizeBytes ?? 0);

const differenceOf = ({ from, to }: SizeChange): number => Math.abs((to ?? 0) - (from ?? 0));
