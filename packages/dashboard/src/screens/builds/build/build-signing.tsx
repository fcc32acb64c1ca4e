import { type SigningResponse } from '@agate/client';
import { Card, DescriptionList, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';
import { SignatureCheck } from './signature-check';

/** How the build is signed, for whom, and until when. */
export function BuildSigning({ signing }: { signing: SigningResponse | null }) {
  const words = useWords();
  const { build } = words;
  const format = useFormat();
  if (signing === null) {
    return (
      <Card title={build.signing}>
        <p className={styles.soft}>{build.unsigned}</p>
      </Card>
    );
  }
  const { kind, team_name, team_id, expires_at, device_count, devices, schemes, entitlements } = signing;
  return (
    <Card title={build.signing}>
      <DescriptionList
        items={[
          { label: build.kind, value: kind && (words.builds.signing[kind] ?? kind) },
          { label: build.profile, value: signing.profile_name },
          { label: build.team, value: [team_name, team_id].filter(Boolean).join(' · ') },
          {
            label: build.expires,
            value: expires_at && (
              <>
                <Time value={expires_at} /> · {format.date(new Date(expires_at))}
              </>
            ),
          },
          { label: build.devices, value: device_count !== null && format.plural(device_count, build.registered) },
          { label: build.schemes, value: schemes && schemes.length > 0 && schemes.join(', ') },
          { label: build.verified, value: signatureCheckOf(signing) },
          {
            label: build.entitlements,
            value: entitlements && entitlements.length > 0 && entitlements.map(({ key }) => key).join(', '),
            mono: true,
          },
          { label: build.certificate, value: signing.certificate_subject },
          { label: build.fingerprint, value: signing.certificate_sha256, mono: true },
        ].map((item) => ({ ...item, value: item.value || null }))}
      />
      {devices && devices.length > 0 && (
        <details>
          <summary>{build.deviceList}</summary>
          <ul className={styles.devices}>
            {devices.map((device) => (
              <li key={device}>{device}</li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

const signatureCheckOf = (signing: SigningResponse) =>
  signing.platform === 'android' ? <SignatureCheck signing={signing} /> : null;
