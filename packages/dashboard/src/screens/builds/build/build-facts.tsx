import { type Build } from '../../../queries/builds';
import { Card, DescriptionList, ExternalLink, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** What the artifact itself says, and where it comes from. */
export function BuildFacts({ build: { app, source, ...build } }: { build: Build }) {
  const words = useWords().build;
  const format = useFormat();
  return (
    <Card title={words.facts}>
      <DescriptionList
        items={[
          { label: words.bundleId, value: app.bundle_id, mono: true },
          { label: words.minOs, value: app.min_os_version },
          { label: words.targetSdk, value: app.target_sdk },
          { label: words.devices, value: app.device_families.length > 0 && format.list(app.device_families) },
          { label: words.abis, value: app.abis.length > 0 && format.list(app.abis) },
          { label: words.debuggable, value: app.debuggable && words.yes },
          { label: words.size, value: format.bytes(build.size_bytes) },
          { label: words.file, value: build.file_name },
          { label: words.sha256, value: build.sha256, mono: true },
          { label: words.branch, value: source.branch, mono: true },
          { label: words.commit, value: source.commit, mono: true },
          {
            label: words.ci,
            value: source.ci_url && <ExternalLink href={source.ci_url}>{source.ci_url}</ExternalLink>,
          },
          { label: words.uploaded, value: <Time value={build.uploaded_at} exact /> },
          {
            label: words.permissions,
            value: app.permissions !== null && app.permissions.length > 0 && app.permissions.join(', '),
            mono: true,
          },
        ]}
      />
    </Card>
  );
}
