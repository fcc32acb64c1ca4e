import { randomBytes } from 'node:crypto';
import { TestApp } from '../../support/app/test-app';
import { SlowUpload } from '../../support/actors/slow-upload';
import { isPart, onAzure, onS3 } from '../../support/servers/stores/cloud-places';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
/** The time in which a client should get its response. */
const RESPONSE_MS = 30_000;

describe.each([
  ['s3', onS3],
  ['azure', onAzure],
])('the hosted store on %s', (_name, start) => {
  // red when: a request that got no response is retried, or waits longer for one
  it.each([
    ['a part of the upload', true],
    ['every request after the first part', false],
  ])('causes 503 with Retry-After within half a minute when it never responds to %s', async (_what, onlyParts) => {
    const place = await start();
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
      expect(Date.now() - silentSince).toBeLessThan(RESPONSE_MS);
      expect([answer?.status, JSON.parse(answer?.text ?? '')]).toMatchObject([
        503,
        { error: 'storage_backend_unavailable' },
      ]);
      expect(answer?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    } finally {
      place.proxy.fault = () => undefined;
      await app.stop();
      await place.proxy.stop();
    }
  });
});
