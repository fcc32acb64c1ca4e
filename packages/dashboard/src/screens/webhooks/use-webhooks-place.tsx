import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { type Webhook, type WebhookScope } from '../../queries/webhooks';
import { useWords } from '../../words/words-provider';

/** The organization of the address and, below a project, the project: the same screens show both. */
export function useWebhooksPlace() {
  const { org = '', project, webhook = '' } = useParams({ strict: false });
  const scope: WebhookScope = { organization_id: org, ...(project !== undefined && { project_id: project }) };
  return { scope, organizationId: org, projectId: project, webhookId: webhook };
}

/** A link to a webhook. The list of the organization has those of projects, too, which open in their project. */
export function WebhookLink({ webhook: { id, project_id: project, name } }: { readonly webhook: Webhook }) {
  const { organizationId: org } = useWebhooksPlace();
  return project === null ? (
    <Link to="/o/$org/settings/webhooks/$webhook" params={{ org, webhook: id }}>
      {name}
    </Link>
  ) : (
    <Link to="/o/$org/p/$project/settings/webhooks/$webhook" params={{ org, project, webhook: id }}>
      {name}
    </Link>
  );
}

/** A link to the list. */
export function WebhooksLink({ children }: { readonly children: ReactNode }) {
  const { organizationId: org, projectId: project } = useWebhooksPlace();
  return project === undefined ? (
    <Link to="/o/$org/settings/webhooks" params={{ org }}>
      {children}
    </Link>
  ) : (
    <Link to="/o/$org/p/$project/settings/webhooks" params={{ org, project }}>
      {children}
    </Link>
  );
}

/** A link to the settings of which the webhooks are a part. */
export function SettingsLink() {
  const words = useWords().frame;
  const { organizationId: org, projectId: project } = useWebhooksPlace();
  return project === undefined ? (
    <Link to="/o/$org/settings" params={{ org }}>
      {words.organizationSettings}
    </Link>
  ) : (
    <Link to="/o/$org/p/$project/settings" params={{ org, project }}>
      {words.projectSettings}
    </Link>
  );
}

/** Returns a function that leaves the screen of a webhook for the list. */
export function useGoToWebhooks() {
  const { organizationId: org, projectId: project } = useWebhooksPlace();
  const navigate = useNavigate();
  return () =>
    project === undefined
      ? navigate({ to: '/o/$org/settings/webhooks', params: { org } })
      : navigate({ to: '/o/$org/p/$project/settings/webhooks', params: { org, project } });
}

/** Returns a function that opens a webhook. It replaces a dialog, so that Back leads to the list. */
export function useGoToWebhook() {
  const { organizationId: org, projectId: project } = useWebhooksPlace();
  const navigate = useNavigate();
  return (webhook: string, { replace }: { readonly replace: boolean }) =>
    project === undefined
      ? navigate({ to: '/o/$org/settings/webhooks/$webhook', params: { org, webhook }, replace })
      : navigate({ to: '/o/$org/p/$project/settings/webhooks/$webhook', params: { org, project, webhook }, replace });
}
