import { randomBytes } from 'node:crypto';
import { TestApp } from '../../support/app/test-app';
import { SlowUpload, type UploadAnswer } from '../../support/actors/slow-upload';
import { type CloudPlace, isPart, onAzure, onS3 } from '../../support/servers/stores/cloud-places';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
/** The time in which a client should get its response. */
const RESPONSE_MS = 30_000;

const STORES = [
  ['S3', onS3],
  ['Azure', onAzure],
] as const;
/** What the store does not respond to. */
const SILENCES = [
  ['a part of the upload', true],
  ['every request after the first part', false],
] as const;

interface Silence {
  readonly answer: UploadAnswer | null;
  /** From the first request without a response to the response of the service. */
  readonly tookMs: number;
}

/** Uploads to a service whose store stops responding. */
async function uploadInto(place: CloudPlace, onlyParts: boolean): Promise<Silence> {
  const app = await TestApp.start({ environment: place.environment });
  try {
    const ann = await app.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    const token = await ann.createsToken(project, 'UPLOAD_BUILD');
    let silentSince = 0;
    place.proxy.fault = (request) => {
      if (isPart(request)) silentSince ||= Date.now();
      return silentSince > 0 && (isPart(request) || !onlyParts) ? { kind: 'silence' } : undefined;
    };
    const answer = await new SlowUpload(app, token, project, randomBytes(20 * MIB)).finish();
    return { answer, tookMs: Date.now() - silentSince };
  } finally {
    place.proxy.fault = () => undefined;
    await app.stop();
    await place.proxy.stop();
  }
}

describe('a hosted store that never responds', () => {
  const silences = new Map<string, Promise<Silence>>();
  // Each upload waits for half a minute, so they run at the same time.
  beforeAll(() => {
    for (const [store, start] of STORES) {
      for (const [what, onlyParts] of SILENCES) {
        const silence = start().then((place) => uploadInto(place, onlyParts));
        silence.catch(() => undefined);
        silences.set(`${store}, ${what}`, silence);
      }
    }
  });

  // red when: a request that got no response is retried, or waits longer for one
  it.each(STORES.flatMap(([store]) => SILENCES.map(([what]) => `${store}, ${what}`)))(
    'causes 503 with Retry-After within half a minute: %s',
    async (name) => {
      const { answer, tookMs } = (await silences.get(name))!;
      expect(tookMs).toBeLessThan(RESPONSE_MS);
      expect([answer?.status, JSON.parse(answer?.text ?? '')]).toMatchObject([
        503,
        { error: 'storage_backend_unavailable' },
      ]);
      expect(answer?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    },
  );
});
