import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { retentionQuery } from '../../queries/project/retention';
import { useProjectPlace } from '../../session/use-project-place';
import { buttonClass, Card } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** The way from the settings to the rules that delete builds, and to the trash. */
export function RetentionCard() {
  const words = useWords().settings.retention;
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const { data } = useQuery(retentionQuery(scope));
  const deletes = data?.enabled === true && data.rules.length > 0;
  return (
    <Card
      level={3}
      title={words.heading}
      actions={
        <Link to="/o/$org/p/$project/settings/retention" params={params} className={buttonClass('quiet')}>
          {words.open}
        </Link>
      }
    >
      <p>
        {deletes ? format.plural(data.rules.length, words.rules) : words.keepsAll}{' '}
        <Link to="/o/$org/p/$project/trash" params={params}>
          {words.trash}
        </Link>
      </p>
    </Card>
  );
}
