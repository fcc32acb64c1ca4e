import { randomBytes } from 'node:crypto';
import { SlowUpload, type UploadAnswer } from '../../support/actors/slow-upload';
import { TestApp } from '../../support/app/test-app';
import { type CloudPlace, isPart, onAzure, onS3 } from '../../support/servers/stores/cloud-places';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
/** The time in which a client gets its response: less than half a minute, and fifteen seconds for a busy machine. A retry takes 20 more. */
const RESPONSE_MS = 45_000;

const STORES = [
  ['S3', onS3],
  ['Azure', onAzure],
] as const;
/** The requests to which the store does not respond. */
const SILENCES = [
  ['a part of the upload', true],
  ['every request after the first part', false],
] as const;

interface Silence {
  readonly answer: UploadAnswer | null;
  /** From the first request without a response to the response of the service. */
  readonly tookMs: number;
}

interface SilentUpload {
  readonly ended: Promise<Silence>;
  readonly stop: () => Promise<void>;
}

/** Starts a service and an upload to it, during which its store stops responding. */
async function startSilentUpload(place: CloudPlace, onlyParts: boolean): Promise<SilentUpload> {
  const app = await TestApp.start({ environment: place.environment });
  const ann = await app.developer();
  const project = await ann.createsProject(await ann.createsOrganization());
  const token = await ann.createsToken(project, 'UPLOAD_BUILD');
  let silentSince = 0;
  place.proxy.fault = (request) => {
    if (isPart(request)) silentSince ||= Date.now();
    return silentSince > 0 && (isPart(request) || !onlyParts) ? { kind: 'silence' } : undefined;
  };
  const finished = new SlowUpload(app, token, project, randomBytes(20 * MIB)).finish();
  const stop = async (): Promise<void> => {
    place.proxy.fault = () => undefined;
    await app.stop();
    await place.proxy.stop();
  };
  return { ended: finished.then((answer) => ({ answer, tookMs: Date.now() - silentSince })), stop };
}

describe('a hosted store that never responds', () => {
  const uploads = new Map<string, SilentUpload>();
  // Each upload waits for half a minute, so they wait at the same time.
  beforeAll(async () => {
    for (const [store, start] of STORES) {
      for (const [what, onlyParts] of SILENCES) {
        uploads.set(`${store}, ${what}`, await startSilentUpload(await start(), onlyParts));
      }
    }
  });
  afterAll(async () => {
    for (const { stop } of uploads.values()) await stop();
  });

  // red when: a request that got no response is retried, or waits longer for one
  it.each(STORES.flatMap(([store]) => SILENCES.map(([what]) => `${store}, ${what}`)))(
    'causes 503 with Retry-After within half a minute: %s',
    async (name) => {
      const { answer, tookMs } = await uploads.get(name)!.ended;
      expect(tookMs).toBeLessThan(RESPONSE_MS);
      expect([answer?.status, JSON.parse(answer?.text ?? '')]).toMatchObject([
        503,
        { error: 'storage_backend_unavailable' },
      ]);
      expect(answer?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    },
  );
});
