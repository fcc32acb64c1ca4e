import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { planChangersQuery } from '../../queries/organization/members';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, buttonClass, EmptyState } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** Explains channels, and how an organization on a plan without them gets them. */
export function PlanNeeded() {
  const { what, plan: words } = useWords().channels;
  const format = useFormat();
  const { organizationId, projectId, params } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const reason = may('POST /organizations/{organization_id}/plan');
  const { data: names = [] } = useQuery({ ...planChangersQuery(organizationId), enabled: reason !== undefined });
  return (
    <EmptyState
      title={words.heading}
      actions={
        reason === undefined ? (
          <Link to="/o/$org/billing" params={{ org: params.org }} className={buttonClass('primary')}>
            {words.change}
          </Link>
        ) : (
          <Button disabledReason={reason}>{words.change}</Button>
        )
      }
    >
      <p>{what}</p>
      <p>{words.text}</p>
      {reason !== undefined && <p>{names.length > 0 ? words.ask(format.list(names)) : words.askWithout}</p>}
    </EmptyState>
  );
}
