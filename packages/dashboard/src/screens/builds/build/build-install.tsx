import { useQueryClient } from '@tanstack/react-query';
import { ReplaceLink } from '../../../parts/replace-link';
import { keyOf } from '../../../queries/keys';
import { type Build } from '../../../queries/project/builds';
import { api } from '../../../session/api';
import { useMay } from '../../../session/use-may';
import { type ProjectScope, useProjectPlace } from '../../../session/use-project-place';
import { buttonClass, Card, CopyButton, ExternalLink, QrCode } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';
import { BuildChannels } from './build-channels';

/** The install link, as a QR code for a phone, to copy, to open, to replace; and the channels that give out the build. */
export function BuildInstall({ build }: { build: Build }) {
  const words = useWords().build;
  const { scope } = useProjectPlace();
  const link = build.install_url;
  return (
    <Card title={words.install}>
      <div className={styles.install}>
        {link === null ? (
          <p className={styles.soft}>{words.noLink}</p>
        ) : (
          <>
            <div className={styles.qr}>
              <QrCode value={link} label={words.qr} />
            </div>
            <div className={styles.installActs}>
              <CopyButton label={words.copyLink} value={link} shortcut="C" />
              <ExternalLink href={link}>{words.asTesters}</ExternalLink>
              <ReplaceBuildLink build={build} scope={scope} />
            </div>
          </>
        )}
        <BuildChannels build={build} />
      </div>
    </Card>
  );
}

/** Whether the phone that shows the page can install the build. */
export const installsHere = ({ install_url, installable, platform }: Build): boolean =>
  install_url !== null && installable && platform === phonePlatform();

/** On a phone, for an app of its platform: opens the install page immediately. */
export function InstallHere({ build }: { build: Build }) {
  const words = useWords().build;
  if (build.install_url === null || !installsHere(build)) return null;
  return (
    <a className={buttonClass('primary')} href={build.install_url}>
      {words.onThisDevice}
    </a>
  );
}

/** The platform of the phone or tablet that shows the page, null on a desktop. */
function phonePlatform(): 'ios' | 'android' | null {
  const { userAgent, maxTouchPoints } = navigator;
  if (userAgent.includes('Android')) return 'android';
  // iPadOS sends the user agent of a Mac. Macs have no touch screen.
  const isIPad = userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return isIPad || /iPhone|iPad|iPod/.test(userAgent) ? 'ios' : null;
}

function ReplaceBuildLink({ build, scope }: { build: Build; scope: ProjectScope }) {
  const words = useWords().build;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const replace = async (): Promise<void> => {
    await api.request('POST /builds/{build_id}/rotate-link', { path: { build_id: build.id }, query: scope });
    await queryClient.invalidateQueries({ queryKey: keyOf('build', build.id) });
  };
  return <ReplaceLink words={words} disabledReason={may('POST /builds/{build_id}/rotate-link')} replace={replace} />;
}
