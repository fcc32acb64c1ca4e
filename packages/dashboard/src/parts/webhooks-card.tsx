import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { webhooksQuery } from '../queries/webhooks';
import { useMay } from '../session/use-may';
import { buttonClass, Card } from '../ui';
import { useFormat } from '../words/use-format';
import { useWords } from '../words/words-provider';
import { itemsOf } from './lists/list-screen';

export interface WebhooksCardProps {
  readonly organizationId: string;
  /** Absent for the webhooks of the organization. */
  readonly projectId?: string;
}

/** The number of webhooks, and of those that are switched off. Without webhooks, or the role for them, what they are for. */
function useSummary({ organizationId, projectId }: WebhooksCardProps): string {
  const words = useWords().settings.webhooks;
  const format = useFormat();
  const may = useMay({ organizationId, ...(projectId !== undefined && { projectId }) });
  const reason = may(
    projectId === undefined ? 'PATCH /organizations/{organization_id}' : 'PATCH /projects/{project_id}',
  );
  const scope = { organization_id: organizationId, ...(projectId !== undefined && { project_id: projectId }) };
  const webhooks = itemsOf(useInfiniteQuery({ ...webhooksQuery(scope), enabled: reason === undefined }));
  if (webhooks.length === 0) return words.text;
  const off = webhooks.filter(({ state }) => state === 'off').length;
  return [format.plural(webhooks.length, words.count), ...(off > 0 ? [format.plural(off, words.off)] : [])].join(', ');
}

/** The way from the settings to the webhooks. */
export function WebhooksCard(props: WebhooksCardProps) {
  const { organizationId: org, projectId: project } = props;
  const words = useWords().settings.webhooks;
  const look = buttonClass('quiet');
  const way =
    project === undefined ? (
      <Link to="/o/$org/settings/webhooks" params={{ org }} className={look}>
        {words.open}
      </Link>
    ) : (
      <Link to="/o/$org/p/$project/settings/webhooks" params={{ org, project }} className={look}>
        {words.open}
      </Link>
    );
  return (
    <Card level={3} title={words.heading} actions={way}>
      <p>{useSummary(props)}</p>
    </Card>
  );
}
