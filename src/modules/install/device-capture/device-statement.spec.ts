import { Phone } from '../../../../test/support/artifacts/phone';
import { readDeviceStatement } from './device-statement';

const UDID = '00008101-000A1C3E0E88001E';

describe('readDeviceStatement', () => {
  const phone = new Phone(UDID);
  afterAll(() => phone.remove());
  const rejects = (bytes: Buffer, reason: string): void =>
    expect(() => readDeviceStatement(bytes, 'ticket')).toThrow(
      expect.objectContaining({ errorCase: 'invalid_input', details: { reason } }) as Error,
    );

  it('reads a signed answer', () => {
    expect(readDeviceStatement(phone.answer('ticket'), 'ticket')).toEqual({
      udid: UDID,
      product: 'iPhone15,2',
      osVersion: '21F90',
    });
  });

  it('ignores model and system when they are not texts', () => {
    const answer = phone.answer('ticket', { PRODUCT: 7, VERSION: [] });
    expect(readDeviceStatement(answer, 'ticket')).toMatchObject({ product: null, osVersion: null });
  });

  it('rejects the answer to another ticket', () => rejects(phone.answer('other'), 'wrong_challenge'));

  // red when: the signature is not verified
  it('rejects an answer with any changed byte', () => {
    const answer = phone.answer('ticket');
    const from = answer.indexOf('UDID');
    for (let at = from; at < from + 60; at += 7) {
      const changed = Buffer.from(answer);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x20, at);
      rejects(changed, 'unreadable_answer');
    }
  });

  it.each([0, 1, 10, 100, 500])('rejects the first %d bytes of an answer', (length) => {
    rejects(phone.answer('ticket').subarray(0, length), 'unreadable_answer');
  });
});
