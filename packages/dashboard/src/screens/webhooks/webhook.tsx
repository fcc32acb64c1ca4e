import { useQuery } from '@tanstack/react-query';
import { Found } from '../../frame/found';
import { useTitle } from '../../frame/use-title';
import { type Webhook, webhookQuery } from '../../queries/webhooks';
import { Card, DescriptionList, Lines, PageHeader, Skeleton, Stack, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { Deliveries } from './deliveries';
import { eventLabel } from './event-types';
import { StoppedBanner } from './stopped-banner';
import { useWebhooksPlace, WebhooksLink } from './use-webhooks-place';
import { WebhookActs } from './webhook-acts';
import { WebhookState } from './webhook-state';

/** A webhook with its deliveries. */
export function WebhookScreen() {
  const { scope, webhookId } = useWebhooksPlace();
  return (
    <Found query={useQuery(webhookQuery(scope, webhookId))} waiting={<Skeleton shape="cards" count={2} />}>
      {(webhook) => <Contents webhook={webhook} />}
    </Found>
  );
}

function Contents({ webhook }: { readonly webhook: Webhook }) {
  const words = useWords().webhooks;
  useTitle(webhook.name);
  return (
    <Stack>
      <PageHeader
        title={webhook.name}
        above={<WebhooksLink>{words.heading}</WebhooksLink>}
        detail={`${webhook.host} · ${words.formats[webhook.format]}`}
        actions={<WebhookActs webhook={webhook} />}
      />
      <StoppedBanner webhook={webhook} />
      <Deliveries webhook={webhook} />
      <Facts webhook={webhook} />
    </Stack>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const all = useWords();
  const { webhooks: words, builds } = all;
  const format = useFormat();
  const { types, filter, include_links, created_by_label, created_at } = webhook;
  return (
    <Card title={words.facts}>
      <DescriptionList
        items={[
          { label: words.columns.state, value: <WebhookState webhook={webhook} /> },
          {
            label: words.events,
            value: (
              <Lines>
                {types.map((type) => (
                  <div key={type}>{eventLabel(all, type)}</div>
                ))}
              </Lines>
            ),
          },
          { label: words.platforms, value: format.list(filter.platforms.map((one) => builds.platforms[one] ?? one)) },
          { label: words.branches, value: filter.branches.join(', '), mono: true },
          { label: words.links, value: include_links ? words.yes : words.no },
          {
            label: words.created,
            value: (
              <>
                <Time value={created_at} /> · {created_by_label}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
