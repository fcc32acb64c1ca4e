import { onAzure, onS3 } from '../../support/servers/cloud-places';
import { describeResumableUploads, type StorePlace } from '../../suites/resumable-uploads.suite';

jest.setTimeout(120_000);

const place = async (start: typeof onS3): Promise<StorePlace> => {
  const { environment, proxy } = await start();
  return { environment, stop: () => proxy.stop() };
};

describeResumableUploads('S3', () => place(onS3));
describeResumableUploads('Azure', () => place(onAzure));
