import { type WebhookFormat } from '../../queries/webhooks';
import { CodeBlock, DescriptionList } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './webhooks.module.css';

/** What a receiver of a format sees of an event, with an example. */
export function MessagePreview({ format }: { readonly format: WebhookFormat }) {
  const words = useWords().webhooks.preview;
  return (
    <details className={styles.preview}>
      <summary>{words.heading}</summary>
      {format === 'standard' ? (
        <CodeBlock label="JSON" text={EXAMPLE} copyLabel={words.copy} />
      ) : (
        <div className={styles.message} lang="en">
          <p className={styles.title}>{words.title}</p>
          <DescriptionList items={words.facts.map(([label = '', value]) => ({ label, value }))} />
          <p>{words.notes}</p>
          <p className={styles.button}>{words.button}</p>
        </div>
      )}
    </details>
  );
}

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
