import { Link } from '@tanstack/react-router';
import { type Build } from '../../queries/project/builds';
import { useProjectPlace } from '../../session/use-project-place';
import { Button } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Leads to the comparison of two selected builds, from the older to the newer. */
export function CompareLink({ builds, className }: { builds: readonly Build[]; className: string }) {
  const words = useWords().builds;
  const { params } = useProjectPlace();
  const [from, to] = [...builds].sort((a, b) => a.uploaded_at.localeCompare(b.uploaded_at));
  if (!from || !to || builds.length > 2) return <Button disabledReason={words.compareReason}>{words.compare}</Button>;
  return (
    <Link to="/o/$org/p/$project/compare" params={params} search={{ from: from.id, to: to.id }} className={className}>
      {words.compare}
    </Link>
  );
}
