import { Client } from '../src';

/** A client whose every request gets this response. */
const clientOf = (body: ConstructorParameters<typeof Response>[0], init?: ResponseInit): Client =>
  new Client({ baseUrl: 'https://agate.example.com', fetch: () => Promise.resolve(new Response(body, init)) });

const ID = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';
const JSON_TYPE = { headers: { 'Content-Type': 'application/json' } };

describe('A client of the API', () => {
  // red when: only the errors of `fetch` itself are network errors, so that an upload is not continued
  it('reports a response that breaks off as a lost connection, which a retry can repair', async () => {
    const lost = new TypeError('terminated');
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('[{"id":'));
        controller.error(lost);
      },
    });
    await expect(clientOf(broken, JSON_TYPE).request('GET /organizations')).rejects.toMatchObject({
      name: 'ApiError',
      status: 0,
      code: 'network_error',
      cause: lost,
    });
  });

  it('throws an AbortError when the signal aborts while the response arrives', async () => {
    const aborter = new AbortController();
    const endless = new ReadableStream({
      pull: (controller) => {
        aborter.abort();
        controller.error(aborter.signal.reason);
      },
    });
    const request = clientOf(endless, JSON_TYPE).request('GET /organizations', { signal: aborter.signal });
    await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('returns what the service responds', async () => {
    await expect(clientOf('[]', JSON_TYPE).request('GET /organizations')).resolves.toEqual([]);
  });

  // red when: `request` returns what it receives without `malformedField`.
  it.each([
    ['id', { id: '/../../../../.ssh', uploaded_at: '2026-11-20T18:03:00.123Z' }],
    ['uploaded_at', { id: ID, uploaded_at: '../../../evil' }],
    ['build_id', { items: [{ current: [{ build_id: '..' }] }] }],
    ['tester_ids', { tester_ids: [ID, '../x'] }],
  ])('rejects a response whose %s is not what the API promises', async (field, body) => {
    await expect(clientOf(JSON.stringify(body), JSON_TYPE).request('GET /organizations')).rejects.toMatchObject({
      code: 'malformed_response',
      message: expect.stringContaining(`"${field}"`) as string,
    });
  });

  it('accepts fields without a schema, numbers and null', async () => {
    const body = { id: 7, last_used_at: null, bundle_id: 'com.example', payload: { id: 'any', used_at: 'any' } };
    await expect(clientOf(JSON.stringify(body), JSON_TYPE).request('GET /organizations')).resolves.toEqual(body);
  });

  it.each([
    ['<html>413 Request Entity Too Large</html>', /^A proxy in front of the service rejected the size/],
    ['{"error":{},"message":7,"details":"x"}', /^A proxy in front of the service/],
  ])('explains an error that is not an envelope: %s', async (body, message) => {
    await expect(clientOf(body, { status: 413 }).request('GET /organizations')).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(message) as string,
      details: {},
    });
  });
});
