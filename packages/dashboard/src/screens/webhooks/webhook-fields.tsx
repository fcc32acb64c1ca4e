import { PLATFORMS } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { channelChoicesQuery } from '../../queries/project/channel-choices';
import { type Webhook, type WebhookDraft, type WebhookFormat } from '../../queries/webhooks';
import { Checkbox, CheckboxGroup, Fold, Select, Stack, TextField, textOf } from '../../ui';
import { useWords } from '../../words/words-provider';
import { EventFields } from './event-fields';
import { USUAL_EVENTS } from './event-types';
import { MessagePreview } from './message-preview';
import { useWebhooksPlace } from './use-webhooks-place';
import styles from './webhooks.module.css';

export interface WebhookFieldsProps {
  /** Absent for a new one. */
  readonly webhook?: Webhook;
}

/** The fields of a webhook. */
export function WebhookFields({ webhook }: WebhookFieldsProps) {
  const { webhooks: words } = useWords();
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'slack');
  return (
    <div className={styles.form}>
      <Stack>
        <TextField
          label={words.name}
          name="name"
          hint={words.nameHint}
          defaultValue={webhook?.name}
          maxLength={100}
          autoComplete="off"
          required
        />
        <Select
          label={words.format}
          name="format"
          value={format}
          hint={words.addresses[format]}
          onChange={({ target }) => setFormat(target.value as WebhookFormat)}
          options={Object.entries(words.formats).map(([value, label]) => ({ value, label }))}
        />
        <TextField
          label={words.url}
          name="url"
          type="url"
          hint={webhook && words.urlKept(webhook.host)}
          placeholder="https://"
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
          required={webhook === undefined}
        />
        <EventFields types={webhook?.types ?? USUAL_EVENTS} />
        <FilterFields webhook={webhook} />
        <Checkbox
          label={words.links}
          hint={words.linksHint}
          name="include_links"
          defaultChecked={webhook?.include_links ?? false}
        />
      </Stack>
      <MessagePreview format={format} />
    </div>
  );
}

const NO_FILTER: Webhook['filter'] = { channel_ids: [], platforms: [], branches: [] };

function FilterFields({ webhook }: WebhookFieldsProps) {
  const { webhooks: words, builds } = useWords();
  const { channel_ids, platforms, branches } = webhook?.filter ?? NO_FILTER;
  const isFiltered = channel_ids.length + platforms.length + branches.length > 0;
  return (
    <Fold title={words.filters} open={isFiltered || undefined}>
      <Stack gap={12}>
        <ChannelsField chosen={channel_ids} />
        <CheckboxGroup
          inline
          label={words.platforms}
          name="platforms"
          options={PLATFORMS.map((value) => ({ value, label: builds.platforms[value] ?? value }))}
          defaultValue={platforms}
        />
        <TextField
          label={words.branches}
          name="branches"
          hint={words.branchesHint}
          defaultValue={branches.join(', ')}
          mono
          autoComplete="off"
        />
      </Stack>
    </Fold>
  );
}

/** The channels of the project. A webhook of an organization has no choice of them, and keeps the chosen ones. */
function ChannelsField({ chosen }: { readonly chosen: readonly string[] }) {
  const words = useWords().webhooks;
  const { organizationId, projectId } = useWebhooksPlace();
  const scope = { organization_id: organizationId, project_id: projectId ?? '' };
  const { data: channels = [] } = useQuery({ ...channelChoicesQuery(scope), enabled: projectId !== undefined });
  if (channels.length === 0) return chosen.map((id) => <input key={id} type="hidden" name="channel_ids" value={id} />);
  return (
    <CheckboxGroup
      inline
      label={words.channels}
      name="channel_ids"
      hint={words.allChannels}
      options={channels.map(({ id, name }) => ({ value: id, label: name }))}
      defaultValue={chosen}
    />
  );
}

/** The webhook that the fields describe. An empty address is left out. */
export function webhookOf(values: FormData): Omit<WebhookDraft, 'url'> & { readonly url?: string } {
  const all = (name: string): string[] => values.getAll(name).filter((value) => typeof value === 'string');
  const url = textOf(values, 'url').trim();
  const platforms = all('platforms') as Webhook['filter']['platforms'];
  return {
    name: textOf(values, 'name').trim(),
    ...(url !== '' && { url }),
    format: textOf(values, 'format') as WebhookFormat,
    types: all('types') as WebhookDraft['types'],
    filter: {
      channel_ids: all('channel_ids'),
      platforms,
      branches: textOf(values, 'branches')
        .split(/[,\n]/)
        .map((branch) => branch.trim())
        .filter(Boolean),
    },
    include_links: values.has('include_links'),
  };
}
