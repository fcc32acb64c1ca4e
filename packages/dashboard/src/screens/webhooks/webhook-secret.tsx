import { SecretOnce } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Shows the secret of a webhook the only time that it can be shown. */
export function WebhookSecret({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return <SecretOnce words={useWords().webhooks.secret} value={secret} onDone={onDone} />;
}
