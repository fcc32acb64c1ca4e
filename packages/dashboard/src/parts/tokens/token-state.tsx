import { Badge, Inline, Time, Tooltip, useNow } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './tokens.module.css';

/** The fields that every kind of token has. */
export interface AnyToken {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  /** Present only for project access tokens. */
  readonly creator_left?: boolean;
}

const UNUSED_MS = 90 * 86_400_000;

export const isExpired = ({ expires_at }: AnyToken, now: Date): boolean =>
  expires_at !== null && new Date(expires_at) <= now;

/** The name of a token, and its state for a reviewer of the list. */
export function TokenName({ token }: { token: AnyToken }) {
  const words = useWords().tokens;
  const now = useNow();
  const expired = isExpired(token, now);
  const unused = now.getTime() - new Date(token.last_used_at ?? token.created_at).getTime() >= UNUSED_MS;
  return (
    <Inline gap={8}>
      <span className={styles.name}>{token.name}</span>
      {expired && <Badge>{words.expired}</Badge>}
      {unused && !expired && (
        <Badge tone="warning" icon="clock">
          {words.unused}
        </Badge>
      )}
      {token.creator_left && (
        <Tooltip text={words.leftReason}>
          <Badge tone="problem" icon="warning">
            {words.left}
          </Badge>
        </Tooltip>
      )}
    </Inline>
  );
}

/** A time that may be missing, because it has not come or will not come. */
export function TimeOrNever({ value }: { value: string | null }) {
  const { never } = useWords().tokens;
  return value === null ? <span className="soft">{never}</span> : <Time value={value} />;
}
