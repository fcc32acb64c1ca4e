import { ApiError, FileUnreadableError } from '@agate/client';
import { canRetry, refusalOf } from './upload-item';

const file = (size: number) => ({ name: 'Rocket.ipa', size, modified: 0 });
const error = (status: number, code: string, reason?: string): ApiError =>
  new ApiError(status, code, 'Any.', reason ? { reason } : {});

describe('a file', () => {
  it.each([
    ['is larger than the service accepts', file(101), false, 100, 'payload_too_large'],
    ['is empty', file(0), false, 100, 'empty_file'],
    ['is a folder', file(4096), true, null, 'folder'],
  ])('is rejected before it is sent when it %s', (_, facts, isFolder, maxBytes, expected) => {
    const refusal = refusalOf(facts, isFolder, maxBytes);
    expect(refusal?.reason ?? refusal?.code).toBe(expected);
  });

  it('is sent when it has the largest accepted size, or when that is not known', () => {
    expect([refusalOf(file(100), false, 100), refusalOf(file(1e12), false, null)]).toEqual([null, null]);
  });
});

describe('a failed upload', () => {
  it.each([
    [error(0, 'network_error'), true],
    [error(401, 'unauthorized'), true],
    [error(402, 'spend_cap_exceeded'), true],
    [error(403, 'insufficient_role'), true],
    [error(404, 'not_found'), true],
    [error(429, 'rate_limit_exceeded'), true],
    [error(400, 'quota_exceeded'), true],
    [error(400, 'invalid_input', 'parts_mismatch'), true],
    [new TypeError('a defect of the page'), true],
    [error(400, 'invalid_input', 'corrupt_archive'), false],
    [error(400, 'invalid_input', 'bundle_id_mismatch'), false],
    [error(413, 'payload_too_large'), false],
    [new FileUnreadableError('It was changed.'), false],
  ])('is offered again only if the same file can succeed: %s, %s', (failure, expected) => {
    expect(canRetry(failure)).toBe(expected);
  });
});
