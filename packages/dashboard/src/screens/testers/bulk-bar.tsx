import { useState } from 'react';
import { DeferredBulkDialog, DeferredRemindDialog } from '../../parts/testers/deferred-dialogs';
import { type BulkAct } from '../../parts/testers/testers-dialog';
import { versionOf } from '../../queries/project/builds';
import { type Tester } from '../../queries/project/testers';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, type IconName, SelectionBar } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { useFilteredRelease } from './filters/use-filters';

/** The number of testers that the service accepts in one request for reminders. */
const MAX = 1000;

const ACTS: readonly (readonly [BulkAct | 'remind', IconName?])[] = [
  ['remind', 'mail'],
  ['subscribe', 'channel'],
  ['unsubscribe'],
  ['invite', 'mail'],
  ['erase', 'trash'],
];

interface Opened {
  readonly act: BulkAct | 'remind';
  readonly testers: readonly Tester[];
}

interface BulkBarProps {
  readonly testers: readonly Tester[];
  readonly onClear: () => void;
}

/** The actions on the selected testers. The dialog of an action stays when the list no longer shows them, as after erasing them. */
export function BulkBar({ testers, onClear }: BulkBarProps) {
  const words = useWords().testers.adoption;
  const format = useFormat();
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const release = useFilteredRelease();
  const [open, setOpen] = useState<Opened | null>(null);
  const reason = may('POST /testers/bulk') ?? (testers.length > MAX ? words.tooMany : undefined);
  const common = { onClose: () => setOpen(null), onDone: onClear };
  return (
    <>
      {testers.length > 0 && (
        <SelectionBar
          label={words.selection}
          text={format.plural(testers.length, words.selected)}
          clearLabel={words.unselect}
          onClear={onClear}
        >
          {ACTS.filter(([act]) => act !== 'remind' || release).map(([act, icon]) => (
            <Button key={act} icon={icon} disabledReason={reason} onClick={() => setOpen({ act, testers })}>
              {words.acts[act]}
            </Button>
          ))}
        </SelectionBar>
      )}
      {open?.act === 'remind' && release && (
        <DeferredRemindDialog
          releaseId={release.release_id}
          channelName={release.channel.name}
          version={versionOf(release)}
          count={open.testers.length}
          testers={open.testers}
          {...common}
        />
      )}
      {open && open.act !== 'remind' && <DeferredBulkDialog act={open.act} testers={open.testers} {...common} />}
    </>
  );
}
