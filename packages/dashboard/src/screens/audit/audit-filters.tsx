import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FilterSheet } from '../../parts/lists/filter-sheet';
import { type AuditEvent, auditFacetsQuery } from '../../queries/organization/audit';
import { IconButton, Inline, Select, TextField, Toolbar } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './audit.module.css';
import { isAddress, isDay, useAuditPlace } from './use-audit-place';
import { type EventReader, useProjectNames } from './use-event-texts';

interface Days {
  readonly previous: string | null | undefined;
  readonly next: string | null | undefined;
}

/** The day, and the filters of its events. All of them are in the address. */
export function AuditFilters({ reader, days }: { reader: EventReader; days: Days }) {
  const { isFiltered, filter, search } = useAuditPlace();
  const { type, person, address, project } = search;
  const navigate = useNavigate({ from: '/o/$org/audit' });
  return (
    <Toolbar role="search">
      <DayChooser days={days} />
      <FilterSheet
        count={[type, person, address, project].filter(Boolean).length}
        onClear={isFiltered ? () => void navigate({ search: { day: filter.day } }) : undefined}
      >
        {(hideLabel) => (
          <>
            <TypeChooser reader={reader} hideLabel={hideLabel} />
            <PersonChooser reader={reader} hideLabel={hideLabel} />
            <AddressField hideLabel={hideLabel} />
            <ProjectChooser hideLabel={hideLabel} />
          </>
        )}
      </FilterSheet>
    </Toolbar>
  );
}

function DayChooser({ days }: { days: Days }) {
  const words = useWords().audit;
  const format = useFormat();
  const { day } = useAuditPlace().filter;
  const go = useGoToDay();
  // A partly typed day is not valid yet, and must stay in the field.
  const [typed, setTyped] = useState({ of: day, text: day });
  const change = (text: string): void => {
    setTyped({ of: day, text });
    if (isDay(text)) go(text);
  };
  return (
    <Inline gap={4} className={styles.days}>
      <IconButton
        icon="chevron-left"
        label={words.previous}
        disabledReason={days.previous === null ? words.noPrevious : undefined}
        onClick={() => days.previous && go(days.previous)}
      />
      <span className={styles.day} data-date={format.date(day, 'short')}>
        <TextField
          type="date"
          label={words.day}
          hideLabel
          min="2000-01-01"
          max="2999-12-31"
          value={typed.of === day ? typed.text : day}
          onChange={(event) => change(event.target.value)}
        />
      </span>
      <IconButton
        icon="chevron-right"
        label={words.next}
        disabledReason={days.next === null ? words.noNext : undefined}
        onClick={() => days.next && go(days.next)}
      />
    </Inline>
  );
}

/** Returns the function that shows another day with the same filters. */
export function useGoToDay(): (day: string) => void {
  const navigate = useNavigate({ from: '/o/$org/audit' });
  return (day) => void navigate({ search: ({ event: _event, ...before }) => ({ ...before, day }) });
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The choices of a filter. They include the chosen one even when it does not occur in the counted days. */
function withChosen(
  choices: readonly Choice[],
  chosen: string | undefined,
  label: (value: string) => string,
): Choice[] {
  const sorted = [...choices].sort((a, b) => a.label.localeCompare(b.label));
  const isMissing = chosen !== undefined && choices.every(({ value }) => value !== chosen);
  return isMissing ? [{ value: chosen, label: label(chosen) }, ...sorted] : sorted;
}

interface ChooserProps {
  readonly reader: EventReader;
  readonly hideLabel: boolean;
}

function TypeChooser({ reader, hideLabel }: ChooserProps) {
  const words = useWords().audit;
  const { organizationId, filter, search } = useAuditPlace();
  const navigate = useNavigate({ from: '/o/$org/audit' });
  const { data: facets } = useQuery(auditFacetsQuery(organizationId, filter.day));
  const choices = (facets?.types ?? []).map(({ type }) => ({ value: type, label: reader.label(type) }));
  return (
    <Select
      className={hideLabel ? styles.choice : undefined}
      label={words.type}
      hideLabel={hideLabel}
      value={search.type ?? ''}
      onChange={({ target }) =>
        void navigate({ search: (before) => ({ ...before, type: target.value || undefined, event: undefined }) })
      }
      options={[{ value: '', label: words.allTypes }, ...withChosen(choices, search.type, reader.label)]}
    />
  );
}

/** The API's names for actors that have no id. */
const KINDS: Partial<Record<AuditEvent['actor']['kind'], string>> = {
  operator: 'operator',
  system: 'service',
  anonymous: 'anonymous',
};

function PersonChooser({ reader, hideLabel }: ChooserProps) {
  const words = useWords().audit;
  const { organizationId, filter, search } = useAuditPlace();
  const navigate = useNavigate({ from: '/o/$org/audit' });
  const { data: facets } = useQuery(auditFacetsQuery(organizationId, filter.day));
  const choices = (facets?.actors ?? []).flatMap(({ actor }) => {
    const value = actor.id ?? KINDS[actor.kind];
    return value === undefined ? [] : [{ value, label: reader.actor(actor) }];
  });
  // Two tokens may have one name. The end of the id tells them apart.
  const isDouble = (label: string): boolean => choices.filter((other) => other.label === label).length > 1;
  const distinct = choices.map(({ value, label }) => ({
    value,
    label: isDouble(label) ? `${label} …${value.slice(-4)}` : label,
  }));
  return (
    <Select
      className={hideLabel ? styles.choice : undefined}
      label={words.person}
      hideLabel={hideLabel}
      value={search.person ?? ''}
      onChange={({ target }) =>
        void navigate({ search: (before) => ({ ...before, person: target.value || undefined, event: undefined }) })
      }
      options={[{ value: '', label: words.everybody }, ...withChosen(distinct, search.person, (value) => value)]}
    />
  );
}

function ProjectChooser({ hideLabel }: Pick<ChooserProps, 'hideLabel'>) {
  const words = useWords().audit;
  const { search } = useAuditPlace();
  const navigate = useNavigate({ from: '/o/$org/audit' });
  const projects = [...useProjectNames()].map(([value, label]) => ({ value, label }));
  return (
    <Select
      className={hideLabel ? styles.choice : undefined}
      label={words.project}
      hideLabel={hideLabel}
      value={search.project ?? ''}
      onChange={({ target }) =>
        void navigate({ search: (before) => ({ ...before, project: target.value || undefined, event: undefined }) })
      }
      options={[
        { value: '', label: words.allProjects },
        ...withChosen(projects, search.project, () => words.deletedProject),
      ]}
    />
  );
}

/** The filter applies as soon as the IP address is complete. */
function AddressField({ hideLabel }: Pick<ChooserProps, 'hideLabel'>) {
  const words = useWords().audit;
  const { search } = useAuditPlace();
  const shown = search.address ?? '';
  const navigate = useNavigate({ from: '/o/$org/audit' });
  const [typed, setTyped] = useState({ of: shown, text: shown });
  const [isLeft, setIsLeft] = useState(false);
  const text = typed.of === shown ? typed.text : shown;
  const change = (changed: string): void => {
    setTyped({ of: shown, text: changed });
    setIsLeft(false);
    const address = changed.trim();
    if (address !== '' && !isAddress(address)) return;
    void navigate({
      search: (before) => ({ ...before, address: address || undefined, event: undefined }),
      replace: true,
    });
  };
  return (
    <TextField
      label={words.address}
      hideLabel={hideLabel}
      placeholder={words.address}
      mono
      className={hideLabel ? styles.address : undefined}
      value={text}
      onChange={(event) => change(event.target.value)}
      onBlur={() => setIsLeft(true)}
      error={isLeft && text.trim() !== '' && !isAddress(text.trim()) ? words.invalidAddress : undefined}
    />
  );
}
