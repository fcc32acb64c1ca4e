import { Command } from 'commander';
import { type Context } from '../../context';
import { describeCredential } from '../../login/describe-credential';

export const whoamiCommand = (context: Context): Command =>
  new Command('whoami').description('print what the credential is, and what it may do').action(async () => {
    const [client, { url }] = await Promise.all([context.client(), context.settings()]);
    const credential = await client.request('GET /credential');
    context.output.print({ url, ...credential }, describeCredential(url, credential));
  });
