import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { serviceQuery } from '../../queries/account/session';
import { useProjectPlace } from '../../session/use-project-place';
import { buttonClass, Card } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The way from the settings to the agents. Empty where the service has no MCP server. */
export function AgentsCard() {
  const words = useWords().settings.agents;
  const { params } = useProjectPlace();
  const { data: service } = useQuery(serviceQuery);
  if (service?.mcp !== 'on') return null;
  return (
    <Card
      level={3}
      title={words.heading}
      actions={
        <Link to="/o/$org/p/$project/settings/agents" params={params} className={buttonClass('quiet')}>
          {words.open}
        </Link>
      }
    >
      <p>{words.text}</p>
    </Card>
  );
}
