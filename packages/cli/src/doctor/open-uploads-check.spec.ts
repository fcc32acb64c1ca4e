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

  it('is absent without a limit', async () => {
    expect(await checkOf()).toBeNull();
  });

  const failing = (...error: ConstructorParameters<typeof ApiError>) =>
    openUploadsCheck(
      clientOf(() => Promise.reject(new ApiError(...error))),
      'o',
    );

  it.each([
    [401, 'unauthorized'],
    [403, 'permission_denied'],
    [403, 'insufficient_role'],
  ] as const)('is absent when the credential may not read the quotas: %d %s', async (status, code) => {
    expect(await failing(status, code, 'no')).toBeNull();
  });

  it('fails when the service fails', async () => {
    await expect(failing(500, 'internal_error', 'no')).rejects.toThrow('no');
  });
});
