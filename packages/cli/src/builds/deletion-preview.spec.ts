import { type DeletionPreviewResponse } from '@agate/client';
import { describePreview, figuresOf } from './deletion-preview';

const sample = (id: string): DeletionPreviewResponse['sample'][number] => ({
  id,
  platform: 'ios',
  version: '1.0',
  build_number: null,
  branch: null,
  uploaded_at: '2026-11-01T00:00:00.000Z',
  size_bytes: 1,
});
const preview = (change: Partial<DeletionPreviewResponse>): DeletionPreviewResponse => ({
  builds: 0,
  kept: 0,
  bytes: 0,
  saves_micro_usd_per_month: 0,
  sample: [],
  fingerprint: 'f',
  fingerprint_expires_at: '2026-11-28T00:00:00.000Z',
  ...change,
});

describe('The text of a preview', () => {
  it.each([
    [{}, '0 builds'],
    [{ builds: 1, bytes: 2_000 }, '1 build (2 kB)'],
    [{ builds: 2, bytes: 3_000_000, saves_micro_usd_per_month: 9_999 }, '2 builds (3.0 MB, less than $0.01 per month)'],
    [{ builds: 2, bytes: 4e9, saves_micro_usd_per_month: 314_000 }, '2 builds (4.00 GB, $0.31 per month)'],
  ])('has the figures of %j', (sums, expected) => {
    expect(figuresOf(preview(sums))).toBe(expected);
  });

  it('lists some of the builds, and says how many there are beside them', () => {
    const text = describePreview(preview({ builds: 3, kept: 2, sample: [sample('a'), sample('b')] }), 1);
    expect(text.split('\n')).toEqual([
      '3 builds would be deleted. 2 builds are protected and stay.',
      'ios  1.0 (–)    2026-11-01T00:00:00.000Z  a',
      'and 2 more',
    ]);
  });
});
