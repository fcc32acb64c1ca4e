import { useState } from 'react';
import { Checkbox, CheckboxGroup, RadioGroup } from '../../ui';
import { useWords } from '../../words/words-provider';
import { EVENT_GROUPS, eventLabel, USUAL_EVENTS } from './event-types';
import { useWebhooksPlace } from './use-webhooks-place';
import styles from './webhooks.module.css';

type Extent = 'usual' | 'all' | 'chosen';

const includesAll = (types: readonly string[], of: readonly string[]): boolean =>
  of.every((type) => types.includes(type));

/** The events: the usual ones, all, or chosen in groups. A type that the form does not know is kept. */
export function EventFields({ types }: { readonly types: readonly string[] }) {
  const words = useWords().webhooks;
  const { projectId } = useWebhooksPlace();
  // Events of the organization belong to no project.
  const groups = Object.entries(EVENT_GROUPS).filter(([group]) => projectId === undefined || group !== 'organization');
  const known: readonly string[] = groups.flatMap(([, values]) => values);
  const unknown = types.filter((type) => !known.includes(type));
  const [chosen, setChosen] = useState<readonly string[]>(() => types.filter((type) => known.includes(type)));
  const [extent, setExtent] = useState<Extent>(() => extentOf(chosen, known));
  const sent = { usual: USUAL_EVENTS, all: known, chosen: [] }[extent];
  const change = (next: string): void => {
    // The choice begins with what was chosen before.
    if (extent !== 'chosen') setChosen(sent);
    setExtent(next as Extent);
  };
  return (
    <>
      <RadioGroup
        label={words.events}
        name="extent"
        value={extent}
        onValue={change}
        options={(['usual', 'all', 'chosen'] as const).map((value) => ({ value, label: words.extents[value] }))}
      />
      {extent === 'chosen' && (
        <div className={styles.groups}>
          {groups.map(([group, values]) => (
            <EventGroup
              key={group}
              label={words.groups[group as keyof typeof EVENT_GROUPS]}
              values={values}
              chosen={chosen}
              onChosen={setChosen}
            />
          ))}
        </div>
      )}
      {[...sent, ...unknown].map((type) => (
        <input key={type} type="hidden" name="types" value={type} />
      ))}
    </>
  );
}

function extentOf(types: readonly string[], known: readonly string[]): Extent {
  if (includesAll(types, known)) return 'all';
  return types.length === USUAL_EVENTS.length && includesAll(types, USUAL_EVENTS) ? 'usual' : 'chosen';
}

interface EventGroupProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  readonly onChosen: (types: readonly string[]) => void;
}

/** The events about one noun, with a box for all of them. */
function EventGroup({ label, values, chosen, onChosen }: EventGroupProps) {
  const all = useWords();
  const here = values.filter((value) => chosen.includes(value));
  const replace = (next: readonly string[]): void =>
    onChosen([...chosen.filter((type) => !values.includes(type)), ...next]);
  return (
    <div className={styles.group}>
      <Checkbox
        label={label}
        aria-label={all.webhooks.allOf(label)}
        checked={here.length === values.length}
        indeterminate={here.length > 0 && here.length < values.length}
        onChange={({ target }) => replace(target.checked ? values : [])}
      />
      <CheckboxGroup
        label={label}
        hideLabel
        name="types"
        options={values.map((value) => ({ value, label: eventLabel(all, value) }))}
        value={here}
        onValue={replace}
      />
    </div>
  );
}
