import { versionOf } from '../../../queries/project/builds';
import { type Tester } from '../../../queries/project/testers';
import { Badge, type BadgeProps, Time } from '../../../ui';
import { useWords } from '../../../words/words-provider';

type Tone = Pick<BadgeProps, 'tone' | 'dot'>;

/** The state of a tester, in words: "Has 2.1.0 (210)". Readers without the role for it see only that a tester left the project. */
export function TesterStateText({ tester }: { tester: Tester }) {
  const { state, declined, invited_at, opened_at, bounced_at, created_at, last_download } = tester;
  const words = useWords().testers;
  const shown = state ?? (declined ? 'left' : null);
  if (shown === null) return <span className="soft">–</span>;
  if (shown === 'has_current' || shown === 'behind') {
    const version = last_download && versionOf(last_download);
    const text = shown === 'behind' ? words.behind : words.has;
    const tone: Tone = shown === 'behind' ? { tone: 'warning', dot: 'hollow' } : { tone: 'success', dot: 'filled' };
    return <Badge {...tone}>{version ? text(version) : words.states[shown]}</Badge>;
  }
  const since = { added: created_at, invited: invited_at, opened: opened_at, left: null, bounced: bounced_at }[shown];
  const tones = { added: 'neutral', invited: 'neutral', opened: 'info', left: 'neutral', bounced: 'problem' } as const;
  return (
    <Badge tone={tones[shown]}>
      <span>
        {words.states[shown]} {since && <Time value={since} />}
      </span>
    </Badge>
  );
}
