import { Link } from '@tanstack/react-router';
import { CiSnippet } from '../../parts/ci/ci-snippet';
import { type Build, versionOf } from '../../queries/project/builds';
import { AppIcon, buttonClass, Card, CopyButton, Inline, QrCode, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './welcome.module.css';

/** The last step: the install link of the build, and the ways to upload the next builds from a CI system. */
export function FirstBuildReady({ build }: { build: Build }) {
  const words = useWords();
  const { ready } = words.welcome;
  const params = { org: build.organization_id, project: build.project_id };
  return (
    <>
      <Card title={ready.heading}>
        <div className={styles.ready}>
          <Stack gap={12} className={styles.what}>
            <Inline gap={12}>
              <AppIcon name={build.app.name ?? build.file_name} src={build.icon_url} />
              <div>
                <p className="strong">{build.app.name ?? build.file_name}</p>
                <p className="soft">
                  {versionOf(build)} · {words.builds.platforms[build.platform] ?? build.platform}
                </p>
              </div>
            </Inline>
            <Hint build={build} />
            <Inline>
              {build.install_url !== null && (
                <CopyButton label={ready.copyLink} value={build.install_url} variant="primary" />
              )}
              <Link
                to="/o/$org/p/$project/builds/$build"
                params={{ ...params, build: build.id }}
                className={buttonClass()}
              >
                {ready.open}
              </Link>
              <Link to="/o/$org/p/$project" params={params} className={buttonClass('quiet')}>
                {ready.project}
              </Link>
            </Inline>
          </Stack>
          {build.install_url !== null && (
            <div className={styles.qr}>
              <QrCode value={build.install_url} label={ready.qr} />
            </div>
          )}
        </div>
      </Card>
      <Card title={words.project.firstBuild.ciReady}>
        <CiSnippet organizationId={params.org} projectId={params.project} />
      </Card>
    </>
  );
}

/** The use of the link, or the reason why no device can use it. */
function Hint({ build }: { build: Build }) {
  const words = useWords().welcome.ready;
  if (build.installable) return <p className="soft">{words.text}</p>;
  return (
    <div>
      <p>{words.notInstallable}</p>
      <ul className={styles.warnings}>
        {build.warnings.map(({ code, message }) => (
          <li key={code}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
