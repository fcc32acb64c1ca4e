import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, buttonClass, Icon, Menu } from '../../ui';
import { useWords } from '../../words/words-provider';
import { ExportTesters, useExportTesters } from './export-testers';
import styles from './testers.module.css';

interface TestersActsProps {
  readonly isEmpty: boolean;
  /** The button that adds testers. Without testers, it is in the middle of the screen. */
  readonly add: ReactNode;
}

/** The actions on the list. A phone has a menu for those that are rarely needed there. */
export function TestersActs({ isEmpty, add }: TestersActsProps) {
  if (isEmpty) return <DevicesLink />;
  return (
    <>
      <div className={styles.wideActs}>
        <DevicesLink />
        <ExportTesters />
        <ImportLink />
      </div>
      {add}
      <MoreActs />
    </>
  );
}

function MoreActs() {
  const words = useWords().testers;
  const { params, organizationId, projectId } = useProjectPlace();
  const navigate = useNavigate();
  const importReason = useMay({ organizationId, projectId })('POST /testers/import');
  const exporting = useExportTesters();
  return (
    <Menu
      label={words.moreActs}
      className={styles.moreActs}
      items={[
        {
          label: words.importLink,
          icon: 'file',
          disabledReason: importReason,
          onSelect: () => void navigate({ to: '/o/$org/p/$project/testers/import', params }),
        },
        {
          label: words.exportCsv,
          icon: 'download',
          disabledReason: exporting.reason,
          onSelect: exporting.start,
        },
        {
          label: words.devices,
          icon: 'phone',
          onSelect: () => void navigate({ to: '/o/$org/p/$project/devices', params }),
        },
      ]}
    />
  );
}

function DevicesLink() {
  const words = useWords().testers;
  const { params } = useProjectPlace();
  return (
    <Link to="/o/$org/p/$project/devices" params={params} className={buttonClass()}>
      {words.devices}
    </Link>
  );
}

export function ImportLink() {
  const words = useWords().testers;
  const { organizationId, projectId, params } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('POST /testers/import');
  if (reason !== undefined) {
    return (
      <Button icon="file" disabledReason={reason}>
        {words.importLink}
      </Button>
    );
  }
  return (
    <Link to="/o/$org/p/$project/testers/import" params={params} className={buttonClass()}>
      <Icon name="file" />
      {words.importLink}
    </Link>
  );
}
