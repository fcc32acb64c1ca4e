import { ApiError, type Client } from '@agate/client';
import { openUploadsCheck } from './open-uploads-check';

const clientOf = (answer: () => Promise<unknown>) => ({ request: answer }) as unknown as Client;
const checkOf = (...quotas: readonly object[]) =>
  openUploadsCheck(
    clientOf(() => Promise.resolve({ quotas })),
    'o',
  );
const quota = (used: number) => ({ quota: 'open_upload_bytes', limit: 20_000_000_000, used });

describe('openUploadsCheck', () => {
  it('is ok while there is room', async () => {
    expect(await checkOf({ quota: 'open_uploads', limit: 1, used: 1 }, quota(1_500_000_000))).toEqual({
      name: 'open_uploads',
      state: 'ok',
      message: 'Open uploads of the organization hold 1.50 GB of at most 20.00 GB.',
      remedy: null,
    });
  });

  it('warns from nine tenths of the limit', async () => {
    expect(await checkOf(quota(18_000_000_000))).toMatchObject({ state: 'warning' });
  });

  it('is absent without a limit, and when the credential may not read the quotas', async () => {
    expect(await checkOf()).toBeNull();
    const refused = () => Promise.reject(new ApiError(403, 'permission_denied', 'no'));
    expect(await openUploadsCheck(clientOf(refused), 'o')).toBeNull();
  });
});
