import { type WebhookFormat } from '../../queries/webhooks';
import { CodeBlock, DescriptionList } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './webhooks.module.css';

/** An example of the messages of a format. */
export function MessagePreview({ format }: { readonly format: WebhookFormat }) {
  const words = useWords().webhooks.preview;
  return (
    <details className={styles.preview}>
      <summary>{words.heading}</summary>
      {format === 'standard' ? (
        <CodeBlock label="JSON" text={EXAMPLE} copyLabel={words.copy} />
      ) : (
        <div className={styles.message} lang="en">
          <p className={styles.title}>{SAMPLE.title}</p>
          <DescriptionList items={SAMPLE.facts} />
          <p>{SAMPLE.notes}</p>
          <p className={styles.button}>{SAMPLE.button}</p>
        </div>
      )}
    </details>
  );
}

/** Messages are English in every language of the dashboard. */
const SAMPLE = {
  title: 'Rocket 2.1.0 (210) was released to Beta',
  facts: [
    { label: 'Platform', value: 'iOS' },
    { label: 'Branch', value: 'main' },
    { label: 'Size', value: '66.1 MB' },
    { label: 'By', value: 'Ann' },
  ],
  notes: 'The new login. Tide tables work offline.',
  button: 'Open build',
};

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
