import { type LatestBuildResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QrButton } from '../../../parts/qr/qr-button';
import { versionOf } from '../../../queries/project/builds';
import { channelsQuery } from '../../../queries/project/channels';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, Button, Card, CopyButton, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './overview.module.css';
import { usePromotion } from './use-promotion';

/** The newest build of each platform with its install link, unless a channel has it: then it is named above. */
export function NewestBuilds({ latest }: { latest: readonly LatestBuildResponse[] }) {
  const title = useWords().project.newest;
  const { scope } = useProjectPlace();
  const { data: channels = [] } = useQuery(channelsQuery(scope));
  const current = new Set(channels.flatMap((channel) => channel.current.map(({ build_id }) => build_id)));
  const shown = latest.filter(({ build }) => !current.has(build.id));
  if (shown.length === 0) return null;
  return (
    <Card title={title}>
      <ul role="list" className={styles.newest}>
        {shown.map((one) => (
          <NewestBuild key={one.platform} {...one} />
        ))}
      </ul>
    </Card>
  );
}

function NewestBuild({ platform, build }: LatestBuildResponse) {
  const words = useWords();
  const texts = words.project;
  const format = useFormat();
  const { params, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const promote = usePromotion();
  const name = words.builds.platforms[platform] ?? platform;
  const link = build.install_url;
  return (
    <li>
      <div className={styles.about}>
        <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: build.id }} className={styles.version}>
          {versionOf(build)}
        </Link>{' '}
        <span className="soft">{name}</span>{' '}
        {!build.installable && <Badge tone="problem">{texts.notInstallable}</Badge>}
        <div className="soft small">
          <Time value={build.uploaded_at} /> · {format.bytes(build.size_bytes)}
        </div>
      </div>
      <div className={styles.acts}>
        <Button icon="promote" disabledReason={may('POST /releases')} onClick={() => promote(build.id)}>
          {words.promotion.promote}
        </Button>
        {link !== null && (
          <>
            <CopyButton iconOnly label={texts.copyLinkOf(name)} value={link} />
            <QrButton
              label={texts.showQr(name)}
              title={`${name} ${versionOf(build)}`}
              picture={texts.qr(name)}
              link={link}
              copyLabel={texts.copyLink}
            />
          </>
        )}
      </div>
    </li>
  );
}
