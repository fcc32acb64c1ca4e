import { type Platform, type RegistrationResponse, type SigningResponse } from '@agate/client';
import { type Build } from '../../../queries/project/builds';
import { Badge, Card, Fold, Icon, Stack, Time, useNow } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';
import { BuildPermissions } from './build-permissions';
import { Facts } from './facts';
import { UpdateSignature } from './update-signature';

const DESKTOPS: readonly Platform[] = ['macos', 'windows', 'linux'];

/** Entitlements that every app has. */
const USUAL =
  /(?:^|\.)(?:application-identifier|team-identifier|get-task-allow|keychain-access-groups|beta-reports-active)$/;

/** The signature of the build, its devices and its expiry, and what the app may ask for. */
export function BuildSigning({ build }: { build: Build }) {
  const words = useWords().build;
  return (
    <Card title={words.signing}>
      {build.warnings.length === 0 && (
        <p className={styles.fine}>
          <Icon name="success" />
          {words.noWarnings}
        </p>
      )}
      {build.signing === null ? <p className={styles.soft}>{words.unsigned}</p> : <Signing signing={build.signing} />}
      {DESKTOPS.includes(build.platform) && <UpdateSignature build={build} />}
      <BuildPermissions app={build.app} />
    </Card>
  );
}

/** Years from now on, the time that is left says nothing: keys of Android apps are valid for decades. */
const FAR_MS = 5 * 365 * 86_400_000;

function Expiry({ value }: { value: string }) {
  const format = useFormat();
  const now = useNow();
  const date = new Date(value);
  if (date.getTime() - now.getTime() > FAR_MS) return format.date(date);
  return (
    <>
      <Time value={value} /> · {format.date(date)}
    </>
  );
}

function Signing({ signing }: { signing: SigningResponse }) {
  const words = useWords();
  const { build } = words;
  const format = useFormat();
  const { kind, team_name, team_id, expires_at, device_count, devices } = signing;
  const entitlements = signing.entitlements?.map(({ key }) => key).filter((key) => !USUAL.test(key)) ?? [];
  return (
    <>
      <Facts
        items={[
          { label: build.kind, value: kind && (words.builds.signing[kind] ?? kind) },
          { label: build.team, value: team_name ?? team_id },
          {
            label: build.expires,
            value: expires_at && <Expiry value={expires_at} />,
          },
          { label: build.devices, value: device_count !== null && format.plural(device_count, build.registered) },
          { label: build.verified, value: signing.platform === 'android' && <SignatureCheck signing={signing} /> },
          { label: build.registration, value: registrationOf(signing) },
          { label: build.entitlements, value: entitlements.join(', '), mono: true },
        ]}
      />
      <SigningDetails signing={signing} />
      {devices && devices.length > 0 && (
        <Fold title={build.deviceList}>
          <ul className={styles.devices}>
            {devices.map((device) => (
              <li key={device}>{device}</li>
            ))}
          </ul>
        </Fold>
      )}
    </>
  );
}

/** What few readers need: profile, certificate, and what was compared. */
function SigningDetails({ signing }: { signing: SigningResponse }) {
  const { build } = useWords();
  return (
    <Fold title={build.signingDetails}>
      <Facts
        items={[
          { label: build.profile, value: signing.profile_name },
          { label: build.teamId, value: signing.team_id, mono: true },
          { label: build.schemes, value: signing.schemes?.join(', ') },
          {
            label: build.verified,
            value: signing.platform === 'ios' && <CodeChecks checks={signing.checks ?? []} />,
          },
          {
            label: signing.certificate_verified === false ? build.claimedCertificate : build.certificate,
            value: signing.certificate_subject,
          },
          { label: build.fingerprint, value: signing.certificate_sha256, mono: true },
        ]}
      />
    </Fold>
  );
}

/** What was compared with the code signature of an iOS app. */
function CodeChecks({ checks }: { checks: readonly string[] }) {
  const { build } = useWords();
  if (checks.length === 0) return <>{build.notChecked}</>;
  return <>{build.compared(checks.map((check) => build.codeChecks[check] ?? check).join(', '))}</>;
}

const registrationOf = ({ registration }: SigningResponse) =>
  registration && <Registration registration={registration} />;

/** Whether the package is registered to a verified developer of Android. */
function Registration({ registration: { state } }: { registration: RegistrationResponse }) {
  const { registrations } = useWords().build;
  const isBad = state === 'not_registered' || state === 'other_certificate';
  const text = registrations[state] ?? state;
  return isBad ? <Badge tone="warning">{text}</Badge> : <>{text}</>;
}

/** The result of the check of an Android package: the valid schemes, and the first problem. */
function SignatureCheck({ signing }: { signing: SigningResponse }) {
  const { build } = useWords();
  const schemes = signing.verified_schemes ?? [];
  const problem = useProblem(signing);
  if (schemes.length === 0 && problem === null) return <>{build.notChecked}</>;
  return (
    <Stack gap={4}>
      {schemes.length > 0 && <span>{build.verifiedSchemes(schemes.join(', '))}</span>}
      {problem !== null && <Badge tone={signing.verified === false ? 'problem' : 'neutral'}>{problem}</Badge>}
    </Stack>
  );
}

function useProblem({ verified, problem }: SigningResponse): string | null {
  const { build } = useWords();
  if (problem === null) return null;
  const what = build.signatureProblems[problem.code] ?? problem.code;
  return verified === false ? build.brokenSignature(what, problem.scheme) : build.uncheckedSignature(what);
}
