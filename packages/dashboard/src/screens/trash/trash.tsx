import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { serviceQuery } from '../../queries/account/session';
import { projectQuery } from '../../queries/organization/projects';
import { type Build } from '../../queries/project/builds';
import { trashQuery } from '../../queries/project/trash';
import { useProjectPlace } from '../../session/use-project-place';
import { buttonClass, Card, EmptyState, PageHeader, SelectionBar, Stack, useNow } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { PurgeButton, RestoreButton } from './trash-acts';
import { TrashTable } from './trash-table';

const NO_SELECTION: ReadonlySet<string> = new Set();
const BYTES_PER_MB = 1_000_000;
const CENT = 10_000;
const MONTH_MS = 30 * 86_400_000;

/** The deleted builds of the project: until when they can be restored, and what they cost until then. */
export function TrashScreen() {
  const words = useWords().trash;
  const { scope, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const list = useInfiniteQuery(trashQuery(scope));
  const builds = itemsOf(list);
  useTitle(words.heading, project?.name);
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        above={
          <Link to="/o/$org/p/$project/builds" params={params}>
            {words.builds}
          </Link>
        }
        detail={words.detail}
      />
      <ListScreen
        list={list}
        count={builds.length}
        rows={6}
        forms={words.count}
        empty={
          <EmptyState
            title={words.empty.heading}
            icon="trash"
            actions={
              <Link to="/o/$org/p/$project/builds" params={params} className={buttonClass()}>
                {words.empty.builds}
              </Link>
            }
          >
            {words.empty.text}
          </EmptyState>
        }
      >
        <Costs builds={builds} hasMore={list.hasNextPage} />
        <SelectableBuilds builds={builds} />
      </ListScreen>
    </Stack>
  );
}

/** What the files take, and what storing them still costs. The storage of the organization costs nothing, so the sum is an upper limit. */
function Costs({ builds, hasMore }: { readonly builds: readonly Build[]; readonly hasMore: boolean }) {
  const words = useWords().trash;
  const format = useFormat();
  const now = useNow();
  const { data: service } = useQuery(serviceQuery);
  const price = service?.prices.storage_mb_month_micro_usd ?? 0;
  const bytes = builds.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const cost = builds.reduce(
    (sum, build) => sum + (build.size_bytes / BYTES_PER_MB) * price * monthsLeft(build, now),
    0,
  );
  const money = cost >= CENT ? format.money(cost) : null;
  return (
    <p>
      {hasMore
        ? words.costLoaded(format.number(builds.length), format.bytes(bytes), money)
        : words.cost(format.bytes(bytes), money)}
    </p>
  );
}

/** The part of a month until the file of a build is deleted. */
const monthsLeft = ({ frees_bytes_at }: Build, now: Date): number =>
  frees_bytes_at === null ? 0 : Math.max(0, Date.parse(frees_bytes_at) - now.getTime()) / MONTH_MS;

function SelectableBuilds({ builds }: { readonly builds: readonly Build[] }) {
  const words = useWords().trash;
  const format = useFormat();
  const [selected, setSelected] = useState(NO_SELECTION);
  const chosen = builds.filter(({ id }) => selected.has(id));
  const clear = (): void => setSelected(NO_SELECTION);
  return (
    <>
      <Card title={words.list} hideTitle flush>
        <TrashTable builds={builds} selected={selected} onSelect={setSelected} />
      </Card>
      {chosen.length > 0 && (
        <SelectionBar
          label={words.selection}
          text={format.plural(chosen.length, words.selected)}
          clearLabel={words.clear}
          onClear={clear}
        >
          <RestoreButton builds={chosen} onDone={clear} />
          <PurgeButton builds={chosen} onDone={clear} />
        </SelectionBar>
      )}
    </>
  );
}
