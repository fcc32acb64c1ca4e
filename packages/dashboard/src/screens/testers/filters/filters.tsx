import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { FilterSheet } from '../../../parts/lists/filter-sheet';
import { channelChoicesQuery } from '../../../queries/project/channel-choices';
import { TESTER_STATES } from '../../../queries/project/testers';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button, SearchField, Select, Toolbar } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './adoption.module.css';
import { NO_ADOPTION, useClear, useFilter, useFilters } from './use-filters';

/** Search and filters. Those by activity only for members who may see it. */
export function Filters() {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const { q = '', channel = '' } = useSearch({ from: '/member/o/$org/p/$project/testers' });
  const { filters, hiddenReason } = useFilters();
  const { state, has_not } = filters;
  const filter = useFilter();
  const clear = useClear();
  const { data: channels } = useQuery(channelChoicesQuery(scope));
  return (
    <Toolbar role="search">
      <SearchField label={words.search} shortcut="/" value={q} onValue={(text) => filter({ q: text || undefined })} />
      <FilterSheet
        count={[channel, state, has_not].filter(Boolean).length}
        onClear={[q, channel, state, has_not].some(Boolean) ? clear : undefined}
      >
        {(hideLabel) => (
          <>
            <Select
              label={words.channel}
              hideLabel={hideLabel}
              value={channel}
              onChange={(event) => filter({ channel: event.target.value || undefined })}
              options={[
                { value: '', label: words.allChannels },
                ...(channels ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
            {hiddenReason === undefined && <ActivityFilters hideLabel={hideLabel} />}
          </>
        )}
      </FilterSheet>
    </Toolbar>
  );
}

function ActivityFilters({ hideLabel }: { hideLabel: boolean }) {
  const words = useWords().testers;
  const { filters } = useFilters();
  const filter = useFilter();
  const { state = '', has_not: hasNot } = filters;
  return (
    <>
      <Select
        label={words.state}
        hideLabel={hideLabel}
        value={state}
        onChange={(event) => filter({ state: event.target.value || undefined })}
        options={[
          { value: '', label: words.allStates },
          ...TESTER_STATES.map((value) => ({ value, label: words.states[value] })),
        ]}
      />
      <Button
        className={styles.toggle}
        aria-pressed={hasNot !== undefined}
        onClick={() => filter({ ...NO_ADOPTION, has_not: hasNot === undefined ? 'current' : undefined })}
      >
        {words.adoption.hasNotCurrent}
      </Button>
    </>
  );
}
