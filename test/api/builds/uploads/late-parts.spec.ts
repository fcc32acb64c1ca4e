import { randomBytes } from 'node:crypto';
import { BlobServiceClient } from '@azure/storage-blob';
import { type Developer } from '../../../support/actors/actors';
import { ResumableClient } from '../../../support/actors/resumable-client';
import { TestApp } from '../../../support/app/test-app';
import { onAzure } from '../../../support/servers/stores/cloud-places';
import { until } from '../../../support/until';

jest.setTimeout(120_000);

/** A part URL of Azure permits writes to the blob in which parts are collected, until it expires. */
describe('bytes sent to a part URL after the upload was completed', () => {
  let app: TestApp;
  let ann: Developer;
  let stop: () => Promise<void>;
  let names: () => Promise<string[]>;
  beforeAll(async () => {
    const { environment, proxy } = await onAzure();
    stop = () => proxy.stop();
    const service = BlobServiceClient.fromConnectionString(environment['AZURE_STORAGE_CONNECTION_STRING'] ?? '');
    const container = service.getContainerClient(environment['AZURE_STORAGE_CONTAINER'] ?? '');
    names = async () => {
      const found = [];
      for await (const { name } of container.listBlobsFlat()) found.push(name);
      return found;
    };
    app = await TestApp.start({ environment });
    ann = await app.developer();
  });
  afterAll(async () => {
    await app.stop();
    await stop();
  });

  // red when: the parts are not deleted again after their URLs have expired, or the artifact is deleted too
  it('are deleted after the URL has expired, and the artifact stays', async () => {
    const project = await ann.createsProject(await ann.createsOrganization());
    const file = { bytes: randomBytes(50_000), fileName: 'App.dmg' };
    const client = await ResumableClient.start(ann, project, file, { platform: 'macos', version: '1.0' });
    const [url = ''] = await client.urls(1);
    await client.sendAll();
    await client.completes();
    const late = new URL(url);
    for (const name of ['comp', 'blockid']) late.searchParams.delete(name);
    const answer = await fetch(late, {
      method: 'PUT',
      body: new Uint8Array(randomBytes(500_000)),
      headers: { 'x-ms-blob-type': 'BlockBlob' },
    });
    expect(answer.status).toBe(201);
    const [artifact, incoming] = (await names()).sort().reverse();
    expect([artifact, incoming]).toEqual([expect.stringMatching(/^builds\//), expect.stringMatching(/^\.incoming\//)]);

    const waiting = await app.sql<{ minutes: number }>(
      `SELECT extract(epoch FROM run_at - created_at)::int / 60 AS minutes FROM graphile_worker.jobs
       WHERE task_identifier = 'storage.drop-parts'`,
    );
    // A part URL is valid for half an hour.
    expect(waiting.map(({ minutes }) => minutes > 30)).toEqual([true]);
    await app.sql(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL`);
    await until(async () => (await names()).length <= 1);
    expect(await names()).toEqual([artifact]);
  });
});
