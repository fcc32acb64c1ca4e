import { Command, Option } from 'commander';
import { type Context } from '../../context';
import { withTimeLimit } from '../../network/time-limit';
import { severalValues } from '../../option-values';
import { usageError } from '../../output/cli-error';
import { connectionErrorOf } from '../../output/connection-errors';
import { changesOf, type StreamMessage } from './event-stream';
import { webhookScope } from './find-webhook';
import { type LocalEvent, localEvent, newSecret, signedHeaders } from './local-event';

interface Options {
  readonly forward?: string;
  readonly secret?: string;
  readonly event?: readonly string[];
}

const SECRET = /^whsec_[\w+/=]{32,100}$/;

export const listenCommand = (context: Context): Command =>
  new Command('listen')
    .description('send events to a program on this machine while you write it, signed as a webhook would')
    .option('--forward <address>', 'such as http://127.0.0.1:3000/hook; default: print the events')
    .addOption(new Option('--event <types>', 'only events of these types').argParser(severalValues))
    .option('--secret <secret>', 'sign with this secret (whsec_…); default: a new one, which is printed')
    .action(async ({ forward, event: types, secret = newSecret() }: Options) => {
      rejectInvalid(context, forward, secret);
      const [client, scope] = await Promise.all([context.client(), webhookScope(context)]);
      if (forward !== undefined) context.output.print(null, `WEBHOOK_SECRET=${secret}`);
      for await (const message of changesOf(context, scope.organization_id)) {
        if (!isWanted(message, types, scope.project_id)) continue;
        const event = await localEvent(client, scope.organization_id, message, new Date(context.process.now()));
        if (forward === undefined) context.output.print(event, JSON.stringify(event));
        else context.output.say(`${event.type} ${await forwarded(context, forward, secret, event)}`);
      }
    });

function rejectInvalid({ output }: Context, forward: string | undefined, secret: string): void {
  if (forward !== undefined && !/^https?:/.test(URL.canParse(forward) ? forward : ''))
    throw usageError(`"${forward}" is not an address. Use one such as http://127.0.0.1:3000/hook.`);
  if (!SECRET.test(secret)) throw usageError('The secret is not one of a webhook. It begins with whsec_.');
  if (output.isJson) throw usageError('webhooks listen prints one line for each event. Leave out --json.');
}

const isWanted = (
  { data }: StreamMessage,
  types: readonly string[] | undefined,
  projectId: string | undefined,
): boolean =>
  (types === undefined || types.includes(data.type)) && (projectId === undefined || data['project_id'] === projectId);

/** The time that a webhook waits for an answer. */
const TIMEOUT_MS = 15_000;

/** Sends an event once. @returns the status of the answer, or what went wrong. */
async function forwarded(context: Context, address: string, secret: string, event: LocalEvent): Promise<string> {
  const body = JSON.stringify(event);
  const headers = signedHeaders(secret, event.id, body, new Date(context.process.now()));
  try {
    return await withTimeLimit(context.signal, TIMEOUT_MS, async (limited) => {
      const init = { method: 'POST', headers, body, redirect: 'manual', signal: limited } as const;
      const response = await fetch(address, init);
      await response.body?.cancel();
      return String(response.status);
    });
  } catch (error) {
    return connectionErrorOf(error) ?? String(error);
  }
}
