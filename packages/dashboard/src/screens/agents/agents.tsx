import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { itemsOf } from '../../parts/lists/list-screen';
import { isExpired, TimeOrNever } from '../../parts/tokens/token-state';
import { useDialog } from '../../parts/use-dialog';
import { serviceQuery } from '../../queries/account/session';
import { projectQuery } from '../../queries/organization/projects';
import { projectTokensQuery } from '../../queries/project/project-tokens';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import {
  Button,
  Card,
  CodeBlock,
  Columns,
  CopyField,
  DescriptionList,
  EmptyState,
  PageHeader,
  Select,
  Skeleton,
  Stack,
  useNow,
} from '../../ui';
import { useWords } from '../../words/words-provider';
import { type AgentName, AGENTS, agentSnippets, mcpAddress } from './agent-snippets';
import { NewAgentToken } from './new-agent-token';

/** How agents read the project: configurations, a token, and whether it is used. */
export function Agents() {
  const { agents: words, frame } = useWords();
  const { scope, organizationId, projectId, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const { data: service } = useQuery(serviceQuery);
  const may = useMay({ organizationId, projectId });
  const dialog = useDialog('new');
  useTitle(words.heading, project?.name);
  const isOff = service?.mcp === 'off';
  const reason = may('POST /project-access-tokens');
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        above={
          <Link to="/o/$org/p/$project/settings" params={params}>
            {frame.projectSettings}
          </Link>
        }
        detail={words.detail}
        actions={
          !isOff && (
            <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => dialog.open('token')}>
              {words.create}
            </Button>
          )
        }
      />
      {!service && <Skeleton shape="cards" count={2} />}
      {isOff && <EmptyState title={words.off.heading}>{words.off.text}</EmptyState>}
      {service?.mcp === 'on' && (
        <Columns shape="aside">
          <Configurations address={service.base_url} version={service.version} />
          <Stack>
            <Card title={words.server}>
              <CopyField label={words.address} value={mcpAddress(service.base_url)} copyLabel={words.copyAddress} />
            </Card>
            {may('GET /project-access-tokens') === undefined && <AgentTokens />}
          </Stack>
        </Columns>
      )}
      {dialog.value !== undefined && reason === undefined && !isOff && <NewAgentToken onClose={dialog.close} />}
    </Stack>
  );
}

function Configurations({ address, version }: { readonly address: string; readonly version: string }) {
  const words = useWords().agents;
  const [chosen, setChosen] = useState<AgentName>('claude');
  return (
    <Card title={words.connect}>
      <Stack>
        <p className="soft">{words.how}</p>
        <Select
          label={words.agent}
          value={chosen}
          hint={words.places[chosen]}
          onChange={({ target }) => setChosen(target.value as AgentName)}
          options={AGENTS.map((value) => ({ value, label: words.names[value] }))}
        />
        <CodeBlock
          label={words.files[chosen]}
          text={agentSnippets(address, version)[chosen]}
          copyLabel={words.copySnippet}
        />
      </Stack>
    </Card>
  );
}

/** The tokens that can only read the project, newest first, and whether something uses them. */
function AgentTokens() {
  const { agents: words, frame } = useWords();
  const { scope, params } = useProjectPlace();
  const now = useNow();
  const list = useInfiniteQuery(projectTokensQuery(scope));
  const readers = itemsOf(list).filter((token) => token.role === 'VIEW_PROJECT' && !isExpired(token, now));
  return (
    <Card title={words.tokens}>
      {list.isPending && <Skeleton count={2} />}
      {!list.isPending && readers.length === 0 && <p className="soft">{words.noTokens}</p>}
      <DescriptionList
        stacked
        items={readers.map(({ name, last4, last_used_at }) => ({
          label: `${name} …${last4}`,
          value: (
            <>
              {words.used} <TimeOrNever value={last_used_at} />
            </>
          ),
        }))}
      />
      <Link to="/o/$org/p/$project/tokens" params={params}>
        {frame.tokens}
      </Link>
    </Card>
  );
}
