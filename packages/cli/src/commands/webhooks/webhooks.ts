import { type RequestOf } from '@agate/client';
import { Command, Option } from 'commander';
import { type Context } from '../../context';
import { tableOf } from '../../output/table';
import { confirm } from '../../terminal/questions';
import { createWebhookCommand } from './create';
import { allWebhooks, findWebhook, organizationScope } from './find-webhook';
import { listenCommand } from './listen';

export const webhooksCommand = (context: Context): Command => {
  const command = new Command('webhooks').description('manage the addresses to which events are sent');
  for (const create of [
    listWebhooksCommand,
    createWebhookCommand,
    testWebhookCommand,
    rotateWebhookCommand,
    deliveriesCommand,
    redeliverCommand,
    deleteWebhookCommand,
    listenCommand,
  ]) {
    command.addCommand(create(context));
  }
  return command;
};

const listWebhooksCommand = (context: Context): Command =>
  new Command('list').description('list webhooks with their state; with a project only its own').action(async () => {
    const webhooks = await allWebhooks(context);
    const rows = webhooks.map(({ id, name, host, format, state, behind }) => [
      name,
      host,
      format,
      behind > 0 ? `${state}, behind by ${behind}` : state,
      id,
    ]);
    context.output.print(webhooks, tableOf(rows));
  });

const WEBHOOK = 'name or id';

type TestBody = NonNullable<RequestOf<'POST /webhooks/{webhook_id}/test'>['body']>;

const testWebhookCommand = (context: Context): Command =>
  new Command('test')
    .description('send a greeting, or the last real event of a type, marked as a test')
    .argument('<webhook>', WEBHOOK)
    .option('--event <type>', 'such as build.uploaded')
    .action(async (wanted: string, { event }: { readonly event?: string }) => {
      const { id, name } = await findWebhook(context, wanted);
      const [client, query] = await Promise.all([context.client(), organizationScope(context)]);
      const delivery = await client.request('POST /webhooks/{webhook_id}/test', {
        path: { webhook_id: id },
        query,
        // The service rejects a type that it does not know, and lists those that it does.
        body: { ...(event !== undefined && { type: event as NonNullable<TestBody['type']> }) },
      });
      context.output.print(delivery, `A test is on its way to ${name}. See agate webhooks deliveries ${id}`);
    });

const rotateWebhookCommand = (context: Context): Command =>
  new Command('rotate')
    .description('make a new secret and print it; messages are signed with both for 24 hours')
    .argument('<webhook>', WEBHOOK)
    .action(async (wanted: string) => {
      const { id } = await findWebhook(context, wanted);
      const [client, query] = await Promise.all([context.client(), organizationScope(context)]);
      const path = { webhook_id: id };
      const rotated = await client.request('POST /webhooks/{webhook_id}/rotate-secret', { path, query });
      context.output.print(rotated, rotated.secret);
    });

const STATES = ['delivered', 'pending', 'failed'] as const;

const deliveriesCommand = (context: Context): Command =>
  new Command('deliveries')
    .description('list the newest deliveries of a webhook, with the answers')
    .argument('<webhook>', WEBHOOK)
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .action(async (wanted: string, { state }: { readonly state?: (typeof STATES)[number] }) => {
      const { id } = await findWebhook(context, wanted);
      const [client, scope] = await Promise.all([context.client(), organizationScope(context)]);
      const query = { ...scope, ...(state && { state }), limit: 100 };
      const path = { webhook_id: id };
      const { items } = await client.request('GET /webhooks/{webhook_id}/deliveries', { path, query });
      const rows = items.map((delivery) => [
        delivery.created_at,
        delivery.event_type,
        delivery.state,
        String(delivery.last_status ?? delivery.last_error ?? ''),
        delivery.id,
      ]);
      context.output.print(items, tableOf(rows));
    });

const redeliverCommand = (context: Context): Command =>
  new Command('redeliver')
    .description('send a delivery again, with the same id and body')
    .argument('<delivery>', 'id, as webhooks deliveries shows it')
    .action(async (id: string) => {
      const [client, query] = await Promise.all([context.client(), organizationScope(context)]);
      const path = { webhook_delivery_id: id };
      const delivery = await client.request('POST /webhook-deliveries/{webhook_delivery_id}/redeliver', {
        path,
        query,
      });
      context.output.print(delivery, 'It is sent again.');
    });

const deleteWebhookCommand = (context: Context): Command =>
  new Command('delete')
    .description('delete a webhook with its deliveries')
    .argument('<webhook>', WEBHOOK)
    .option('--yes', 'do not ask')
    .action(async (wanted: string, { yes = false }: { readonly yes?: boolean }) => {
      const webhook = await findWebhook(context, wanted);
      await confirm(context, `Nothing more will be sent to ${webhook.host} by "${webhook.name}".`, yes);
      const [client, query] = await Promise.all([context.client(), organizationScope(context)]);
      await client.request('DELETE /webhooks/{webhook_id}', { path: { webhook_id: webhook.id }, query });
      context.output.print(webhook, `"${webhook.name}" was deleted.`);
    });
