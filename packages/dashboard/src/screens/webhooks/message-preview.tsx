import { type WebhookFormat } from '../../queries/webhooks';
import { classNames, CodeBlock } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './webhooks.module.css';

/** An example of the messages of a format. */
export function MessagePreview({ format }: { readonly format: WebhookFormat }) {
  const words = useWords().webhooks.preview;
  return (
    <section className={styles.preview} aria-label={words.heading}>
      <h3>{words.heading}</h3>
      {format === 'standard' ? (
        <CodeBlock label="JSON" text={EXAMPLE} copyLabel={words.copy} />
      ) : (
        <ChatMessage format={format} />
      )}
    </section>
  );
}

/** The parts of a message in the order and the shape of the chat: labels above or beside their values, a button or a link. */
function ChatMessage({ format }: { readonly format: Exclude<WebhookFormat, 'standard'> }) {
  const origin = <p className="soft small">{SAMPLE.origin}</p>;
  const isLink = format === 'discord';
  return (
    <div className={classNames(styles.message, styles[format])} lang="en">
      <div>
        <p className={styles.title}>{SAMPLE.title}</p>
        {format === 'google_chat' && origin}
      </div>
      <dl className={styles.facts}>
        {SAMPLE.facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>{SAMPLE.notes}</p>
      <p className={isLink ? styles.link : styles.button}>{SAMPLE.button}</p>
      {format !== 'google_chat' && origin}
    </div>
  );
}

/** Messages are English in every language of the dashboard. */
const SAMPLE = {
  title: 'Rocket 2.1.0 (210) was released to Beta',
  facts: [
    ['Platform', 'iOS'],
    ['Version', '2.1.0'],
    ['Build number', '210'],
    ['Channel', 'Beta'],
    ['Branch', 'main'],
    ['Size', '66.1 MB'],
    ['By', 'Ann'],
  ],
  notes: 'The new login. Tide tables work offline.',
  button: 'Open build',
  origin: 'Acme › Rocket',
} as const;

const EXAMPLE = `webhook-id: evt_019a…
webhook-timestamp: 1795694400
webhook-signature: v1,K5oZ…

${JSON.stringify(
  {
    id: 'evt_019a…',
    type: 'release.promoted',
    timestamp: '2026-11-26T12:00:00.000Z',
    organization_id: '…',
    project_id: '…',
    position: 42,
    actor: { kind: 'developer', name: 'Ann' },
    data: { release: { '…': '…' }, build: { version: '2.1.0', '…': '…' }, channel: { name: 'Beta', '…': '…' } },
  },
  null,
  2,
)}`;
