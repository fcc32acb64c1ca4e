import { HostedStoreIdentityService } from '#modules/storage';
import { TestApp } from '../../support/app/test-app';

const AZURE_KEY = Buffer.alloc(64, 1).toString('base64');
const s3 = (bucket: string, more: object = {}): Record<string, string> => ({
  STORAGE_PROVIDER: 's3',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  ...more,
});
const AZURE = {
  STORAGE_PROVIDER: 'azure',
  AZURE_STORAGE_CONTAINER: 'agate',
  AZURE_STORAGE_CONNECTION_STRING: `DefaultEndpointsProtocol=https;AccountName=agate;AccountKey=${AZURE_KEY};EndpointSuffix=core.windows.net`,
};

/** A start with another store than the one of the builds would serve no build. */
describe('the hosted store of an installation', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  /** The message of a start with these variables; null when it succeeds. */
  const start = async (environment: Readonly<Record<string, string>>): Promise<string | null> => {
    const other = await TestApp.start({ beside: app, environment, worker: false });
    try {
      await other.nest.get(HostedStoreIdentityService).confirm(other.systemContext);
      return null;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await other.stop();
    }
  };
  const recorded = (): Promise<object[]> => app.sql('SELECT provider, place FROM hosted_store');

  it('can change while there are no builds', async () => {
    expect(await start(s3('first'))).toBeNull();
    expect(await recorded()).toEqual([{ provider: 's3', place: '127.0.0.1:9/first' }]);
    expect(await start({})).toBeNull();
    expect(await recorded()).toEqual([{ provider: 'local', place: '' }]);
  });

  // red when: the variables are not compared with what the database has
  it('cannot change while it holds builds, unless STORAGE_MOVED is set', async () => {
    const ann = await app.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    await ann.uploads(project, { bytes: Buffer.from('1'), fileName: 'a.sh' }, { platform: 'linux', version: '1' });
    const refused = await start(s3('first'));
    expect(refused).toContain('in local, but the variables name s3 (127.0.0.1:9/first)');
    expect(refused).not.toContain('secret');
    expect(await recorded()).toEqual([{ provider: 'local', place: '' }]);

    expect(await start(s3('first', { STORAGE_MOVED: 'true' }))).toBeNull();
    expect(await start({})).toContain('in s3 (127.0.0.1:9/first), but the variables name local');
    expect(await start(s3('second'))).toContain('s3 (127.0.0.1:9/second)');
    expect(await start(AZURE)).toContain('azure (agate/agate)');
    // Other credentials of the same bucket are the same store.
    expect(await start(s3('first', { S3_ACCESS_KEY_ID: 'new', S3_REGION: 'eu-central-1' }))).toBeNull();
  });
});
