import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { DeferredMissingBuild } from '../../frame/deferred-missing-build';
import { Found } from '../../frame/found';
import { useTitle } from '../../frame/use-title';
import { PromoteDialog } from '../../parts/builds/promote-dialog';
import { BuildTabs } from '../../parts/link-tabs';
import { useDialog } from '../../parts/use-dialog';
import { projectQuery } from '../../queries/organization/projects';
import { type Build as BuildData, buildQuery, versionOf } from '../../queries/project/builds';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, Button, Columns, PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './build/build.module.css';
import { BuildCommits } from './build/build-commits';
import { BuildDevices } from './build/build-devices';
import { BuildDownloadsCard } from './build/build-downloads-card';
import { BuildFacts } from './build/build-facts';
import { BuildFiles } from './build/build-files';
import { BuildInstall, InstallHere, installsHere } from './build/build-install';
import { BuildMenu } from './build/build-menu';
import { BuildNotes } from './build/build-notes';
import { BuildSigning } from './build/build-signing';
import { BuildSince } from './build/build-since';
import { BuildState } from './build/build-state';
import { BuildWarnings } from './build/build-warnings';
import { TypedNotes } from './build/typed-notes';

/** All data of one build: its install link, its facts, its channels, its downloads. */
export function Build() {
  const { scope } = useProjectPlace();
  const { build: buildId } = useParams({ from: '/member/o/$org/p/$project/builds/$build' });
  const query = useQuery(buildQuery(scope, buildId));
  return (
    <Found
      query={query}
      missing={
        <>
          <DeferredMissingBuild buildId={buildId} />
          <TypedNotes key={buildId} buildId={buildId} />
        </>
      }
      waiting={<Skeleton shape="cards" count={4} />}
    >
      {(build) => <BuildScreen build={build} />}
    </Found>
  );
}

function BuildScreen({ build }: { build: BuildData }) {
  const { frame } = useWords();
  const { scope, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const name = build.app.name ?? project?.name ?? build.file_name;
  const title = `${name} ${versionOf(build)}`;
  useTitle(versionOf(build), project?.name);
  return (
    <Stack gap={16}>
      <PageHeader
        title={title}
        icon={<AppIcon name={name} src={build.icon_url} size={64} />}
        above={
          <Link to="/o/$org/p/$project/builds" params={params}>
            {frame.builds}
          </Link>
        }
        detail={<BuildState build={build} />}
        actions={
          <>
            <InstallHere build={build} />
            <Promote build={build} />
            <BuildMenu build={build} />
          </>
        }
      />
      <BuildTabs buildId={build.id} />
      <Columns shape="aside" className={styles.sections}>
        <Stack gap={16}>
          <BuildWarnings build={build} />
          <BuildInstall build={build} />
          <BuildNotes build={build} key={build.id} />
          <BuildCommits build={build} />
          <BuildDownloadsCard build={build} />
        </Stack>
        <Stack gap={16} className={styles.beside}>
          <BuildSince build={build} />
          <BuildSigning build={build} />
          <BuildDevices build={build} />
        </Stack>
        <Stack gap={16}>
          <BuildFacts build={build} />
          <BuildFiles build={build} />
        </Stack>
      </Columns>
    </Stack>
  );
}

function Promote({ build }: { build: BuildData }) {
  const words = useWords().promotion;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { channel } = useSearch({ from: '/member/o/$org/p/$project/builds/$build' });
  const dialog = useDialog('promote', 'channel');
  const reason = may('POST /releases');
  return (
    <>
      <Button
        // One primary action: on a phone that can install the build, that is to install it.
        variant={build.installable && !installsHere(build) ? 'primary' : 'secondary'}
        icon="promote"
        aria-keyshortcuts="P"
        disabledReason={reason}
        onClick={() => dialog.open('1')}
      >
        {words.promote}
      </Button>
      {dialog.value !== undefined && reason === undefined && (
        <PromoteDialog build={build} channelId={channel} onClose={dialog.close} />
      )}
    </>
  );
}
