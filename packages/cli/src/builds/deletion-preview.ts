import { type DeletionPreviewResponse } from '@agate/client';
import { sizeOf } from '../output/progress';
import { tableOf } from '../output/table';

type Sums = Pick<DeletionPreviewResponse, 'builds' | 'kept' | 'bytes' | 'saves_micro_usd_per_month'>;

export const buildsText = (builds: number): string => `${builds} ${builds === 1 ? 'build' : 'builds'}`;

/** The builds of a preview in numbers: `12 builds (340.2 MB, $0.31 per month)`. */
export function figuresOf({ builds, bytes, saves_micro_usd_per_month: saves }: Sums): string {
  const facts = [...(bytes > 0 ? [sizeOf(bytes)] : []), ...(saves > 0 ? [`${dollarsOf(saves)} per month`] : [])];
  return facts.length === 0 ? buildsText(builds) : `${buildsText(builds)} (${facts.join(', ')})`;
}

/** The sentence about the protected builds of a preview. Empty when there are none. */
export const keptText = ({ kept }: Sums): string =>
  kept === 0 ? '' : `${buildsText(kept)} ${kept === 1 ? 'is' : 'are'} protected and ${kept === 1 ? 'stays' : 'stay'}.`;

/** The preview with the oldest of its builds. @param rows the maximum number of builds; default: all that the preview has. */
export function describePreview(preview: DeletionPreviewResponse, rows = preview.sample.length): string {
  const shown = preview.sample.slice(0, rows);
  const rest = preview.builds - shown.length;
  return [
    `${figuresOf(preview)} would be deleted. ${keptText(preview)}`.trimEnd(),
    ...(shown.length > 0 ? [tableOf(shown.map(rowOf))] : []),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ].join('\n');
}

const rowOf = (build: DeletionPreviewResponse['sample'][number]): string[] => [
  build.platform,
  `${build.version} (${build.build_number ?? '–'})`,
  build.branch ?? '',
  build.uploaded_at,
  build.id,
];

const MICRO_USD = 1_000_000;
const CENT = MICRO_USD / 100;

const dollarsOf = (microUsd: number): string =>
  microUsd < CENT ? 'less than $0.01' : `$${(microUsd / MICRO_USD).toFixed(2)}`;
