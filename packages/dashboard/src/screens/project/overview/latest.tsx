import { type LatestBuildResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PromoteDialog } from '../../../parts/builds/promote-dialog';
import { useDialog } from '../../../parts/use-dialog';
import { buildQuery, versionOf } from '../../../queries/project/builds';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, Button, Card, Columns, CopyButton, Inline, QrCode, Stack, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './overview.module.css';

/** The newest build of each platform, with its install link. */
export function Latest({ latest }: { latest: readonly LatestBuildResponse[] }) {
  const { value: promote } = useDialog('promote');
  return (
    <>
      <Columns>
        {latest.map((one) => (
          <LatestBuild key={one.platform} {...one} />
        ))}
      </Columns>
      {promote !== undefined && <Promotion buildId={promote} />}
    </>
  );
}

function LatestBuild({ platform, build }: LatestBuildResponse) {
  const words = useWords();
  const texts = words.project;
  const format = useFormat();
  const { params } = useProjectPlace();
  const name = words.builds.platforms[platform] ?? platform;
  return (
    <Card title={texts.latestOf(name)}>
      <div className={styles.latest}>
        <Stack gap={12} className={styles.build}>
          <div>
            <Link
              to="/o/$org/p/$project/builds/$build"
              params={{ ...params, build: build.id }}
              className={styles.version}
            >
              {versionOf(build)}
            </Link>
            <p className="soft">
              <Time value={build.uploaded_at} /> · {format.bytes(build.size_bytes)}
            </p>
            {!build.installable && <Badge>{texts.notInstallable}</Badge>}
          </div>
          <Inline>
            <Promote buildId={build.id} />
            {build.install_url !== null && <CopyButton label={texts.copyLink} value={build.install_url} />}
          </Inline>
        </Stack>
        {build.install_url !== null && (
          <div className={styles.qr}>
            <QrCode value={build.install_url} label={texts.qr(name)} />
          </div>
        )}
      </div>
    </Card>
  );
}

function Promote({ buildId }: { buildId: string }) {
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { open } = useDialog('promote');
  return (
    <Button icon="promote" disabledReason={may('POST /releases')} onClick={() => open(buildId)}>
      {useWords().promotion.promote}
    </Button>
  );
}

function Promotion({ buildId }: { buildId: string }) {
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { close } = useDialog('promote');
  const { data: build } = useQuery(buildQuery(scope, buildId));
  if (!build || may('POST /releases') !== undefined) return null;
  return <PromoteDialog build={build} onClose={close} />;
}
