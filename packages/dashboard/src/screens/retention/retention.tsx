import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { LoadError } from '../../parts/lists/load-error';
import { projectQuery, projectSummaryQuery } from '../../queries/organization/projects';
import { type Retention, retentionQuery } from '../../queries/project/retention';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Card, Columns, PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { ProtectedCard } from './protected-card';
import styles from './retention.module.css';
import { RetentionForm } from './retention-form';
import { useRuleSentence } from './use-rule-sentence';

/** The rules by which builds of the project are deleted, with a preview of what they would delete. */
export function RetentionScreen() {
  const { retention: words, frame } = useWords();
  const { scope, params, organizationId, projectId } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const { data: summary } = useQuery(projectSummaryQuery(scope));
  const retention = useQuery(retentionQuery(scope));
  const reason = useMay({ organizationId, projectId })('PUT /projects/{project_id}/retention');
  useTitle(words.heading, project?.name);
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
      />
      {retention.isLoadingError && <LoadError error={retention.error} onRetry={() => void retention.refetch()} />}
      {!retention.data || !summary ? (
        retention.isPending && <Skeleton shape="cards" count={2} />
      ) : reason === undefined ? (
        <RetentionForm key={projectId} retention={retention.data} />
      ) : (
        <Sentences retention={retention.data} reason={reason} />
      )}
    </Stack>
  );
}

/** The rules for members who may not change them. */
function Sentences({
  retention: { rules, enabled },
  reason,
}: {
  readonly retention: Retention;
  readonly reason: string;
}) {
  const words = useWords().retention;
  const sentence = useRuleSentence();
  return (
    <Columns shape="aside">
      <Card title={words.rules}>
        {enabled ? (
          <ul className={styles.sentences}>
            {rules.map((rule) => (
              <li key={sentence(rule)}>{`${sentence(rule)} ${words.allOthers}`}</li>
            ))}
          </ul>
        ) : (
          <p>{words.preview.off}</p>
        )}
        {enabled && rules.length > 1 && <p>{words.several}</p>}
        <p className="soft">{reason}</p>
      </Card>
      <ProtectedCard />
    </Columns>
  );
}
