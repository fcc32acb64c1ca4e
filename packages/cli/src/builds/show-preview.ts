import { type ResponseOf } from '@agate/client';
import { type Context } from '../context';
import { tableOf } from '../output/table';

type Preview = ResponseOf<'POST /builds/delete/preview'>;

/** Prints which builds would be deleted. */
export function showPreview(context: Context, preview: Preview): void {
  const { builds, kept, bytes, saves_micro_usd_per_month: saves, sample } = preview;
  const what = builds === 1 ? '1 build' : `${builds} builds`;
  context.output.say(
    `${what} would be deleted: ${(bytes / 1_000_000).toFixed(1)} MB, $${(saves / 1_000_000).toFixed(2)} per month. ${kept} protected.`,
  );
  const rows = sample.map((build) => [
    build.id,
    build.version,
    build.build_number ?? '',
    build.platform,
    build.branch ?? '',
    build.uploaded_at,
  ]);
  context.output.print(preview, tableOf(rows));
}
