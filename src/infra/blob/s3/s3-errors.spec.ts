import { AppError } from '#kernel/errors/app-error';
import { s3Unavailable } from './s3-errors';

const ofService = (name: string, httpStatusCode: number): Error =>
  Object.assign(new Error('said the store'), { name, $metadata: { httpStatusCode } });
const ofSystem = (code: string): Error => Object.assign(new Error('said the system'), { code });

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
    [ofService('Whatever', 507), 'full'],
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
  ])('calls %s %s', (error, trouble) => {
    expect(s3Unavailable(error)).toMatchObject({ errorCase: 'storage_backend_unavailable', cause: { trouble } });
  });

  it('leaves our own errors as they are', () => {
    const ours = AppError.notFound('blob');
    expect(s3Unavailable(ours)).toBe(ours);
  });
});
