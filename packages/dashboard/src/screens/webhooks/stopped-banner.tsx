import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useChanged } from '../../queries/changes';
import { resumeWebhook, type Webhook } from '../../queries/webhooks';
import { Banner, Button, FormDialog, RadioGroup, Time, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { useNeedsManager } from './use-needs-manager';
import { useWebhooksPlace } from './use-webhooks-place';
import { stateOf } from './webhook-state';

/** The reason why a webhook does not send, with the button that resumes it. */
export function StoppedBanner({ webhook }: { readonly webhook: Webhook }) {
  const words = useWords().webhooks.stopped;
  const reason = useNeedsManager();
  const [isAsking, setIsAsking] = useState(false);
  const state = stateOf(webhook);
  if (state === 'on') return null;
  if (state === 'failing') {
    const isRejecting = isRejection(webhook.last_status);
    return (
      <Banner tone="warning" title={isRejecting ? words.rejecting : words.failing}>
        <p>{isRejecting ? words.rejectingText : words.failingText}</p>
        {webhook.next_attempt_at !== null && (
          <p className="soft">
            {words.next} <Time value={webhook.next_attempt_at} />
          </p>
        )}
      </Banner>
    );
  }
  return (
    <Banner
      tone="problem"
      title={words.off}
      actions={
        <Button disabledReason={reason} onClick={() => setIsAsking(true)}>
          {words.resume}
        </Button>
      }
    >
      {webhook.off_reason !== null && <p>{words.reasons[webhook.off_reason] ?? webhook.off_reason}</p>}
      {isAsking && <Resume webhook={webhook} onClose={() => setIsAsking(false)} />}
    </Banner>
  );
}

/** Whether the receiver rejected a message, which others may follow. The other answers concern the receiver itself. */
const isRejection = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status);

function Resume({ webhook: { id }, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const words = useWords().webhooks.stopped;
  const { scope } = useWebhooksPlace();
  const changed = useChanged();
  const toast = useToast();
  const resuming = useMutation({
    mutationFn: (from: 'now' | 'where_it_stopped') => resumeWebhook(scope, id, from),
    onSuccess: async () => {
      toast(words.done, { tone: 'success' });
      onClose();
      await changed({ type: 'webhook.resumed' });
    },
  });
  return (
    <FormDialog
      title={words.resume}
      size="small"
      onClose={onClose}
      submitLabel={words.resume}
      busy={resuming.isPending}
      errors={resuming.error}
      onSubmit={(values) => resuming.mutate(values.get('from') as 'now' | 'where_it_stopped')}
    >
      <RadioGroup
        label={words.from}
        name="from"
        defaultValue="where_it_stopped"
        options={[
          { value: 'where_it_stopped', label: words.where },
          { value: 'now', label: words.now },
        ]}
      />
    </FormDialog>
  );
}
