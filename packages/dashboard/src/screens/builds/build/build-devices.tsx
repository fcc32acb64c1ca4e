import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Build } from '../../../queries/project/builds';
import { buildDevicesQuery } from '../../../queries/project/devices';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** The devices that testers registered, and which of them the build leaves out. Nothing for a build that is not limited to devices. */
export function BuildDevices({ build }: { build: Build }) {
  const isRestricted = typeof build.signing?.device_count === 'number';
  return isRestricted ? <KnownDevices build={build} /> : null;
}

function KnownDevices({ build }: { build: Build }) {
  const words = useWords().build.knownDevices;
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const { data } = useQuery(buildDevicesQuery(scope, build.id));
  if (!data) return null;
  const left = data.known?.filter(({ included }) => !included) ?? [];
  return (
    <Card title={words.heading}>
      <p>
        {format.plural(data.provisioned ?? 0, words.provisioned)}.{' '}
        {data.included > 0 && `${format.plural(data.included, words.included)}.`}
      </p>
      {data.missing > 0 && <p>{format.plural(data.missing, words.missing)}.</p>}
      {left.length > 0 && (
        <ul className={styles.devices}>
          {left.slice(0, 10).map(({ device_id, name }) => (
            <li key={device_id}>{name ?? words.unnamed}</li>
          ))}
        </ul>
      )}
      {data.known !== null && (
        <Link to="/o/$org/p/$project/devices" params={params} search={{ state: 'missing' }}>
          {words.all}
        </Link>
      )}
    </Card>
  );
}
