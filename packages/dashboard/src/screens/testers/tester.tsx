import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Found } from '../../frame/found';
import { useTitle } from '../../frame/use-title';
import { projectQuery } from '../../queries/organization/projects';
import { versionOf } from '../../queries/project/builds';
import { type Tester as TesterData, testerQuery } from '../../queries/project/testers';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Avatar, Banner, Card, Columns, DescriptionList, Inline, PageHeader, Skeleton, Stack, Time } from '../../ui';
import { useWords } from '../../words/words-provider';
import { TesterDownloads } from './tester/tester-downloads';
import { TesterMenu } from './tester/tester-menu';
import { TesterStateText } from './tester/tester-state';
import styles from './testers.module.css';
import { TesterChannels } from './testers-table';

/** One tester: their state, their channels, and their downloads. */
export function Tester() {
  const { scope } = useProjectPlace();
  const { tester: testerId } = useParams({ from: '/member/o/$org/p/$project/testers/$tester' });
  const query = useQuery(testerQuery(scope, testerId));
  return (
    <Found query={query} waiting={<Skeleton shape="cards" count={3} />}>
      {(tester) => <TesterScreen tester={tester} />}
    </Found>
  );
}

function TesterScreen({ tester }: { tester: TesterData }) {
  const { tester: words, frame } = useWords();
  const { scope, params } = useProjectPlace();
  const navigate = useNavigate();
  const { data: project } = useQuery(projectQuery(scope));
  const name = tester.name ?? tester.email;
  const hasState = tester.state !== null || tester.declined;
  useTitle(name, project?.name);
  return (
    <Stack>
      <PageHeader
        title={name}
        icon={<Avatar name={name} size={40} />}
        above={
          <Link to="/o/$org/p/$project/testers" params={params}>
            {frame.testers}
          </Link>
        }
        detail={
          (hasState || tester.name !== null) && (
            <Inline gap={8}>
              {hasState && <TesterStateText tester={tester} />}
              {tester.name !== null && <span className={styles.address}>{tester.email}</span>}
            </Inline>
          )
        }
        actions={
          <TesterMenu
            tester={tester}
            onErased={() => navigate({ to: '/o/$org/p/$project/testers', params, replace: true })}
          />
        }
      />
      {tester.bounced_at !== null && (
        <Banner tone="warning" title={words.bounced(tester.bounce_code ?? '')}>
          {words.bouncedText}
        </Banner>
      )}
      {tester.declined && (
        <Banner tone="warning" title={words.left}>
          {words.leftText}
        </Banner>
      )}
      <Columns shape="aside">
        <TesterDownloads tester={tester} />
        <Stack>
          <Progress tester={tester} />
          <Card title={words.channels}>
            <TesterChannels tester={tester} />
          </Card>
        </Stack>
      </Columns>
    </Stack>
  );
}

function Progress({ tester }: { tester: TesterData }) {
  const { tester: words, testers, builds } = useWords();
  const { organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('GET /testers/{tester_id}/downloads');
  const { created_at, invited_at, opened_at, last_download } = tester;
  const since = (time: string | null) => (time === null ? words.notYet : <Time value={time} />);
  const added = { label: words.added, value: <Time value={created_at} /> };
  const last = last_download && (
    <>
      {versionOf(last_download)}, {builds.platforms[last_download.platform] ?? last_download.platform},{' '}
      <Time value={last_download.at} />
    </>
  );
  return (
    <Card title={words.progress}>
      <DescriptionList
        items={
          reason === undefined
            ? [
                added,
                { label: words.mailed, value: since(invited_at) },
                { label: words.opened, value: since(opened_at) },
                { label: words.lastDownload, value: last ?? words.notYet },
              ]
            : [added]
        }
      />
      {reason !== undefined && <p className="soft">{testers.hidden(reason)}</p>}
    </Card>
  );
}
