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

  it('bears a client that is slow but never silent for the whole idle time', async () => {
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

  it('counts no silence while nobody reads, and goes on counting when somebody does', async () => {
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

  it('leaves no timer behind', async () => {
    const { request, body } = bodyOf();
    body.resume();
    request.end(CHUNK);
    for (let turn = 0; turn < 10; turn += 1) await tick();
    expect(body.readableEnded).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
