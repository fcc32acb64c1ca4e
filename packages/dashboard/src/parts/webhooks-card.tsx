import { Link } from '@tanstack/react-router';
import { buttonClass, Card } from '../ui';
import { useWords } from '../words/words-provider';

export interface WebhooksCardProps {
  readonly organizationId: string;
  /** Absent for the webhooks of the organization. */
  readonly projectId?: string;
}

/** The way from the settings to the webhooks. */
export function WebhooksCard({ organizationId: org, projectId: project }: WebhooksCardProps) {
  const words = useWords().settings.webhooks;
  const look = buttonClass('secondary');
  return (
    <Card title={words.heading}>
      <p>{words.text}</p>
      <div>
        {project === undefined ? (
          <Link to="/o/$org/settings/webhooks" params={{ org }} className={look}>
            {words.open}
          </Link>
        ) : (
          <Link to="/o/$org/p/$project/settings/webhooks" params={{ org, project }} className={look}>
            {words.open}
          </Link>
        )}
      </div>
    </Card>
  );
}
