import { AppError } from '#kernel/errors/app-error';
import { s3Unavailable } from './s3-errors';

const ofService = (name: string, httpStatusCode: number): Error =>
  Object.assign(new Error('store error'), { name, $metadata: { httpStatusCode } });
const ofSystem = (code: string): Error => Object.assign(new Error('system error'), { code });

describe('s3Unavailable', () => {
  it.each([
    [ofService('SignatureDoesNotMatch', 403), 'credentials'],
    [ofService('InvalidAccessKeyId', 403), 'credentials'],
    [ofService('RequestTimeTooSkewed', 403), 'clock'],
    [ofService('AccessDenied', 403), 'permission'],
    [ofService('403', 403), 'permission'],
    [ofService('NoSuchBucket', 404), 'container'],
    [ofService('PermanentRedirect', 301), 'container'],
    [ofService('XMinioStorageFull', 507), 'full'],
    [ofService('UnknownCode', 507), 'full'],
    [ofService('SlowDown', 503), 'failing'],
    [ofService('constructor', 500), 'failing'],
    [ofSystem('EADDRREFUSED'), 'address'],
    [ofSystem('ENOTFOUND'), 'resolve'],
    [ofSystem('ECONNREFUSED'), 'connect'],
    [ofSystem('ECONNRESET'), 'connect'],
    [ofSystem('ETIMEDOUT'), 'timeout'],
    [ofSystem('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls'],
    [ofSystem('CERT_HAS_EXPIRED'), 'tls'],
    ['not an error', 'failing'],
  ])('maps %s to the kind `%s`', (error, kind) => {
    expect(s3Unavailable(error)).toMatchObject({ errorCase: 'storage_backend_unavailable', cause: { kind } });
  });

  it('returns an AppError unchanged', () => {
    const error = AppError.notFound('blob');
    expect(s3Unavailable(error)).toBe(error);
  });
});
