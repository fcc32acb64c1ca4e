import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { deferred } from '../../parts/deferred';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { ProjectName } from '../../parts/project-name';
import { useDialog } from '../../parts/use-dialog';
import { type NewWebhook, type Webhook, webhooksQuery } from '../../queries/webhooks';
import { Button, Card, type Column, EmptyState, Lines, PageHeader, Stack, Table } from '../../ui';
import { useWords } from '../../words/words-provider';
import { useNeedsManager } from './use-needs-manager';
import { SettingsLink, useGoToWebhook, useWebhooksPlace, WebhookLink } from './use-webhooks-place';
import { WebhookSecret } from './webhook-secret';
import { LastAnswer, WebhookState } from './webhook-state';

const NewWebhookDialog = deferred(async () => (await import('./new-webhook')).NewWebhookDialog, ['audit', 'builds']);

/** The webhooks of an organization or of a project. */
export function Webhooks() {
  const words = useWords().webhooks;
  const dialog = useDialog('new');
  const [created, setCreated] = useState<NewWebhook>();
  const goToWebhook = useGoToWebhook();
  useTitle(words.heading);
  const reason = useNeedsManager();
  const create = (label: string) => (
    <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => dialog.open('webhook')}>
      {label}
    </Button>
  );
  return (
    <Stack>
      <PageHeader title={words.heading} above={<SettingsLink />} detail={words.detail} actions={create(words.new)} />
      {reason === undefined ? (
        <WebhooksList create={create(words.empty.create)} />
      ) : (
        <EmptyState title={words.refused} icon="lock">
          {reason}.
        </EmptyState>
      )}
      {dialog.value !== undefined && reason === undefined && (
        <NewWebhookDialog
          onClose={dialog.close}
          onCreated={(webhook) => {
            // Chats do not check signatures, so they need no secret.
            if (webhook.format !== 'standard') return void goToWebhook(webhook.id, { replace: true });
            dialog.close();
            setCreated(webhook);
          }}
        />
      )}
      {created && (
        <WebhookSecret secret={created.secret} onDone={() => void goToWebhook(created.id, { replace: false })} />
      )}
    </Stack>
  );
}

function WebhooksList({ create }: { readonly create: React.ReactNode }) {
  const words = useWords().webhooks;
  const { scope } = useWebhooksPlace();
  const list = useInfiniteQuery(webhooksQuery(scope));
  const webhooks = itemsOf(list);
  return (
    <ListScreen
      list={list}
      count={webhooks.length}
      rows={3}
      forms={words.count}
      empty={
        <EmptyState title={words.empty.heading} actions={create}>
          {words.empty.text}
        </EmptyState>
      }
    >
      <Card title={words.heading} hideTitle flush>
        <Table brief label={words.heading} columns={useColumns()} rows={webhooks} rowKey={({ id }) => id} />
      </Card>
    </ListScreen>
  );
}

function useColumns(): readonly Column<Webhook>[] {
  const { frame, webhooks } = useWords();
  const { columns, formats } = webhooks;
  const { organizationId, projectId } = useWebhooksPlace();
  const project: Column<Webhook> = {
    id: 'project',
    label: columns.project,
    plain: true,
    cell: ({ project_id: id }) =>
      id === null ? frame.allProjects : <ProjectName organizationId={organizationId} projectId={id} />,
  };
  return [
    {
      id: 'name',
      label: columns.name,
      cell: (webhook) => (
        <Lines>
          <div>
            <WebhookLink webhook={webhook} />
          </div>
          <div className="soft small">{webhook.host}</div>
        </Lines>
      ),
    },
    ...(projectId === undefined ? [project] : []),
    { id: 'format', label: columns.format, plain: true, cell: ({ format }) => formats[format] },
    { id: 'state', label: columns.state, plain: true, cell: (webhook) => <WebhookState webhook={webhook} /> },
    { id: 'answer', label: columns.answer, cell: (webhook) => <LastAnswer webhook={webhook} /> },
  ];
}
