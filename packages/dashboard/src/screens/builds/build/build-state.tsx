import { type Build } from '../../../queries/project/builds';
import { Badge, Inline, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** One line about a build: whether devices install it or why not, who gets it, and where it came from. */
export function BuildState({ build }: { build: Build }) {
  const { build: words, builds } = useWords();
  const format = useFormat();
  const kind = build.signing?.kind;
  const reason = build.not_installable;
  const facts = [builds.platforms[build.platform] ?? build.platform, ...(kind ? [builds.signing[kind] ?? kind] : [])];
  return (
    <Inline>
      {reason ? (
        <Badge tone="problem" icon="problem">
          {words.notInstallable}: {words.warning.names[reason.code] ?? reason.code}
        </Badge>
      ) : (
        <Badge tone="success" icon="check">
          {words.installable}
        </Badge>
      )}
      {build.channels
        .filter(({ current }) => current)
        .map(({ id, name }) => (
          <Badge key={id} tone="success" dot="filled">
            {name}
          </Badge>
        ))}
      {build.pinned && (
        <Badge icon="pin">
          <span title={builds.pinnedTitle}>{builds.pinned}</span>
        </Badge>
      )}
      {build.expires_at && (
        <Badge tone="warning" icon="trash">
          {builds.goes(format.dateTime(new Date(build.expires_at)))}
        </Badge>
      )}
      <span>
        {facts.join(' · ')} · <Time value={build.uploaded_at} />{' '}
        {build.uploaded_by.label && builds.by(build.uploaded_by.label)}
      </span>
    </Inline>
  );
}
