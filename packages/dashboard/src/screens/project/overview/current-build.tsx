import { type LatestBuildResponse, type Platform } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { adoptionQuery, countAt } from '../../../queries/project/adoption';
import { versionOf } from '../../../queries/project/builds';
import { type Channel } from '../../../queries/project/channels';
import { RECENT_RELEASES, recentReleasesQuery } from '../../../queries/project/project-releases';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, Button, classNames, Meter, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './overview.module.css';
import { usePromotion } from './use-promotion';

interface CurrentBuildProps {
  readonly channel: Channel;
  readonly platform: Platform;
  /** The newest build of the platform. */
  readonly newest: LatestBuildResponse['build'] | undefined;
}

/** The build of a platform that testers of a channel get, how many have it, and whether there is a newer one. */
export function CurrentBuild({ channel, platform, newest }: CurrentBuildProps) {
  const { project: words, builds } = useWords();
  const { params } = useProjectPlace();
  const current = channel.current.find((one) => one.platform === platform);
  const name = builds.platforms[platform] ?? platform;
  return (
    <div className={styles.cell}>
      <div className="soft small">{name}</div>
      {current ? (
        <>
          <div className={styles.line}>
            <Link
              to="/o/$org/p/$project/builds/$build"
              params={{ ...params, build: current.build_id }}
              className={styles.version}
            >
              {versionOf(current)}
            </Link>
            {!current.installable && <Badge tone="problem">{words.notInstallable}</Badge>}
          </div>
          <Promoted channelId={channel.id} platform={platform} at={current.promoted_at} />
          <HaveIt channelId={channel.id} platform={platform} />
        </>
      ) : (
        <div className="soft">{words.nothingCurrent}</div>
      )}
      {newest?.installable && newest.id !== current?.build_id && (
        <PromoteNewest channelId={channel.id} build={newest} platform={name} />
      )}
    </div>
  );
}

interface PromotedProps {
  readonly channelId: string;
  readonly platform: Platform;
  readonly at: string;
}

/** When the build was promoted, and by whom if that is one of the newest releases. */
function Promoted({ channelId, platform, at }: PromotedProps) {
  const words = useWords().project;
  const { scope } = useProjectPlace();
  const { data: releases } = useQuery(recentReleasesQuery(scope, RECENT_RELEASES));
  const by = releases?.find((one) => one.current && one.channel_id === channelId && one.platform === platform)
    ?.promoted_by.label;
  return (
    <div className={classNames('soft', 'small', styles.since)}>
      <Time value={at} /> {by && words.by(by)}
    </div>
  );
}

/** How many testers have the build. The link opens the list of those who lack it. */
function HaveIt({ channelId, platform }: { channelId: string; platform: Platform }) {
  const { adoption: words, project } = useWords();
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const { data: releases, isPending } = useQuery(adoptionQuery(scope));
  const release = releases?.find((one) => one.channel.id === channelId && one.platform === platform);
  if (isPending) return <div aria-busy="true" className={styles.adoption} />;
  if (!release) return null;
  const { testers, has_it: count, release_id } = release;
  if (testers === 0) return <div className={`soft small ${styles.adoption}`}>{project.noTesters}</div>;
  const text = words.haveIt(format.number(count), format.number(testers));
  return (
    <div className={styles.adoption}>
      <Meter hideLabel label={words.label} text={text} value={count} max={testers} />
      <Link
        to="/o/$org/p/$project/testers"
        params={params}
        search={{ release_id, adoption: countAt(release, 'has_not') > 0 ? 'has_not' : 'has_it' }}
        className="small"
      >
        {text}
      </Link>
    </div>
  );
}

interface PromoteNewestProps {
  readonly channelId: string;
  readonly build: LatestBuildResponse['build'];
  readonly platform: string;
}

function PromoteNewest({ channelId, build, platform }: PromoteNewestProps) {
  const words = useWords().project;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const promote = usePromotion();
  return (
    <Button
      variant="quiet"
      icon="promote"
      className={classNames('hang-start', styles.promote)}
      aria-label={`${words.promoteNewest(versionOf(build))}, ${platform}`}
      disabledReason={may('POST /releases')}
      onClick={() => promote(build.id, channelId)}
    >
      {words.promoteNewest(versionOf(build))}
    </Button>
  );
}
