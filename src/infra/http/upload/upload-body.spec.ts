import { type IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import { UploadBody } from './upload-body';

const IDLE_MS = 60_000;
const CHUNK = Buffer.alloc(1_000);

describe('UploadBody', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  function bodyOf() {
    const request = Object.assign(new PassThrough(), { headers: {} });
    const limits = { maxFileBytes: 1_000_000, maxFormBytes: 1_000, idleMs: IDLE_MS };
    const body = new UploadBody(request as unknown as IncomingMessage, limits);
    const errors: unknown[] = [];
    body.on('error', (error) => errors.push(error));
    return { request, body, errors };
  }

  it('fails only after the client was idle for the whole idle time', async () => {
    const { request, body, errors } = bodyOf();
    body.resume();
    for (let chunk = 0; chunk < 10; chunk += 1) {
      request.write(CHUNK);
      await tick();
      jest.advanceTimersByTime(IDLE_MS - 1);
    }
    expect(errors).toEqual([]);
    jest.advanceTimersByTime(1);
    await tick();
    expect(errors).toMatchObject([{ details: { reason: 'upload_stalled' } }]);
  });

  it('does not count the idle time while the stream is not read', async () => {
    const { request, body, errors } = bodyOf();
    for (let chunk = 0; chunk < 400; chunk += 1) request.write(CHUNK);
    body.read(1);
    for (let turn = 0; turn < 10; turn += 1) await tick();
    jest.advanceTimersByTime(IDLE_MS * 10);
    await tick();
    expect(errors).toEqual([]);
    body.resume();
    for (let turn = 0; turn < 10; turn += 1) await tick();
    jest.advanceTimersByTime(IDLE_MS);
    await tick();
    expect(errors).toMatchObject([{ details: { reason: 'upload_stalled' } }]);
  });

  it('stops the idle timer at the end of the body', async () => {
    const { request, body } = bodyOf();
    body.resume();
    request.end(CHUNK);
    for (let turn = 0; turn < 10; turn += 1) await tick();
    expect(body.readableEnded).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
