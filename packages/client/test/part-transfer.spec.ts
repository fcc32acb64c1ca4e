import { type ResumableUploadResponse } from '../src/generated';
import { Gate } from '../src/upload/gate';
import { PartTransfer } from '../src/upload/part-transfer';
import { fewRetries, sleep } from '../src/upload/retries';
import { SendingSlots } from '../src/upload/sending-slots';
import { type UploadApi } from '../src/upload/upload-api';

const PART_BYTES = 8_000_000;
const PARTS = 9;

const UPLOAD = {
  id: 'u',
  size_bytes: PARTS * PART_BYTES,
  part_size_bytes: PART_BYTES,
  parts: Array.from({ length: PARTS }, (_, index) => ({
    part_number: index + 1,
    size_bytes: PART_BYTES,
    arrived: false,
  })),
} as unknown as ResumableUploadResponse;

const api = {
  partUrls: (_: string, numbers: readonly number[]) => Promise.resolve(new Map(numbers.map((n) => [n, `/${n}`]))),
} as unknown as UploadApi;

describe('the parts of an upload that are sent at the same time', () => {
  let now: number;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  /** The number of parts underway whenever a part begins, on a line that sends a part in this time. */
  const underway = async (secondsOfPart: number, parallel?: number): Promise<readonly number[]> => {
    const counts: number[] = [];
    const transfer: PartTransfer = new PartTransfer({
      api,
      sender: {
        send: async () => {
          counts.push(transfer.underway);
          await new Promise(setImmediate);
          now += secondsOfPart * 1_000;
          return null;
        },
      },
      slots: new SendingSlots(),
      gate: new Gate(),
      sleep,
      newRetries: fewRetries,
      parallel,
      signal: new AbortController().signal,
      changed: () => undefined,
    });
    await transfer.sendMissing(UPLOAD);
    expect(transfer.sentBytes).toBe(UPLOAD.size_bytes);
    return counts;
  };

  // red when: several parts begin at once, so that a reload in the first seconds loses all that was sent
  it.each([
    { line: 'a slow line', seconds: 5, most: 2 },
    { line: 'a fast line', seconds: 1, most: 3 },
  ])('are one at first, and then at most $most on $line', async ({ seconds, most }) => {
    const counts = await underway(seconds);
    expect(counts).toHaveLength(PARTS);
    expect(counts.slice(0, 2)).toEqual([1, 1]);
    expect(Math.max(...counts)).toBe(most);
  });

  it('are as many as the caller says', async () => {
    expect((await underway(5, 3)).slice(0, 3)).toEqual([1, 2, 3]);
  });
});
