import { commitAddress } from '../../../parts/builds/commit-address';
import { androidLevel, minimumOs } from '../../../parts/builds/minimum-os';
import { type Build } from '../../../queries/project/builds';
import { Card, ExternalLink, Fold, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import { Facts } from './facts';

/** The facts in the file, and its source. Those that few readers need are folded. */
export function BuildFacts({ build }: { build: Build }) {
  const words = useWords().build;
  const format = useFormat();
  const { app, source } = build;
  const commit = commitAddress(source);
  return (
    <Card title={words.facts}>
      <Facts
        items={[
          { label: words.bundleId, value: app.bundle_id, mono: true },
          { label: words.minOs, value: minimumOs(build) },
          {
            label: words.devices,
            value:
              app.device_families.length > 0 &&
              format.list(app.device_families.map((family) => words.families[family] ?? family)),
          },
          { label: words.debuggable, value: app.debuggable && words.yes },
          { label: words.size, value: format.bytes(build.size_bytes) },
          { label: words.branch, value: source.branch, mono: true },
          {
            label: words.commit,
            value: commit ? <ExternalLink href={commit}>{source.commit?.slice(0, 12)}</ExternalLink> : source.commit,
            mono: true,
          },
          {
            label: words.ci,
            value: source.ci_url && <ExternalLink href={source.ci_url}>{source.ci_url}</ExternalLink>,
          },
          {
            label: words.pullRequest,
            value: source.pull_request && <PullRequest pullRequest={source.pull_request} />,
          },
        ]}
      />
      <Fold title={words.moreFacts}>
        <Facts
          items={[
            { label: words.uploaded, value: <Time value={build.uploaded_at} exact /> },
            {
              label: words.firstUploaded,
              value: build.original_uploaded_at && <Time value={build.original_uploaded_at} exact />,
            },
            { label: words.file, value: build.file_name },
            { label: words.sha256, value: build.sha256, mono: true },
            { label: words.targetSdk, value: app.target_sdk !== null && androidLevel(app.target_sdk) },
            { label: words.abis, value: app.abis.length > 0 && format.list(app.abis), mono: true },
          ]}
        />
      </Fold>
    </Card>
  );
}

/** The pull request's number and title, or its address if the upload named only that. */
function PullRequest({
  pullRequest: { number, url, title },
}: {
  pullRequest: NonNullable<Build['source']['pull_request']>;
}) {
  const words = useWords().build;
  const name = number === null ? (title ? null : url) : words.pullRequestNumber(number);
  const text = [name, title].filter(Boolean).join(' ');
  return url ? <ExternalLink href={url}>{text}</ExternalLink> : text;
}
