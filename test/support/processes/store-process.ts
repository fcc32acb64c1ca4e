import { customerAzure, customerS3 } from '../actors/byosa';
import { isPart, onAzure, onS3 } from '../servers/cloud-places';
import { type FaultyProxy } from '../servers/faulty-proxy';

/** Configuration of the hosted store, or of a customer's store. */
type Access = Readonly<Record<string, string>> | object;

const STORES: Readonly<Record<string, () => Promise<{ proxy: FaultyProxy; access: Access }>>> = {
  'hosted s3': async () => withEnvironment(await onS3()),
  'hosted azure': async () => withEnvironment(await onAzure()),
  'customer s3': async () => withSettings(await customerS3()),
  'customer azure': async () => withSettings(await customerAzure()),
};

const withEnvironment = ({ proxy, environment }: Awaited<ReturnType<typeof onS3>>) => ({ proxy, access: environment });

const withSettings = async ({ proxy, settings }: Awaited<ReturnType<typeof customerAzure>>) => ({
  proxy,
  access: await settings(),
});

/**
 * A store in a child process, for benchmarks, so that its memory is not counted. It is forked with the store's name, sends its
 * configuration, and sends the number of received parts and bytes on every message. It exits with its parent.
 */
async function main(name: string): Promise<void> {
  const { proxy, access } = await STORES[name]!();
  process.on('message', () => {
    const puts = proxy.seen.filter(({ method }) => method === 'PUT');
    const bytes = puts.reduce((total, { headers }) => total + Number(headers['content-length'] ?? 0), 0);
    process.send!({ parts: puts.filter(isPart).length, bytes });
  });
  process.once('disconnect', () => void proxy.stop().finally(() => process.exit()));
  process.send!(access);
}

void main(process.argv[2] ?? '');
