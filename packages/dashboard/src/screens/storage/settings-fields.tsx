import { type ReactNode, useId } from 'react';
import { CodeBlock, Columns, PasswordField, Select, Stack, TextField } from '../../ui';
import { useWords } from '../../words/words-provider';
import { ADDRESSINGS, type Draft, fieldOf, policyOf, type StorageKind } from './settings';
import styles from './storage.module.css';

interface SettingsFieldsProps {
  readonly draft: Draft;
  readonly onDraft: (change: (draft: Draft) => Draft) => void;
  /** Only the credentials can change while builds are stored there. */
  readonly isPlaceFixed: boolean;
}

/** The properties of the field of this name. */
function useFields(kind: StorageKind, { draft, onDraft, isPlaceFixed }: SettingsFieldsProps) {
  const of = (name: string) => {
    const field = fieldOf(kind, name);
    return {
      name: field,
      value: draft[field] ?? '',
      onChange: ({ target: { value } }: { target: { value: string } }) =>
        onDraft((before) => ({ ...before, [field]: value })),
    };
  };
  const text = (name: string) => ({ ...of(name), autoComplete: 'off', autoCapitalize: 'off', spellCheck: false });
  return { of, text, place: (name: string) => ({ ...text(name), readOnly: isPlaceFixed }) };
}

/** A step of the set-up: its heading, what is typed for it. */
function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.step}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

export function S3Fields(props: SettingsFieldsProps) {
  const words = useWords().storage;
  const { of, text, place } = useFields('s3', props);
  const { draft, isPlaceFixed } = props;
  return (
    <Stack gap={24}>
      <Step title={words.steps.place}>
        <Columns>
          <TextField
            type="url"
            label={words.endpoint}
            hint={words.s3EndpointHint}
            placeholder="https://"
            {...place('endpoint')}
          />
          <TextField required label={words.region} hint={words.regionHint} {...place('region')} />
          <TextField required label={words.bucket} hint={words.bucketHint} {...place('bucket')} />
          {!isPlaceFixed && (
            <Select
              label={words.addressing}
              hint={words.addressingHint}
              {...of('addressing')}
              options={ADDRESSINGS.map((value) => ({ value, label: words.addressings[value] }))}
            />
          )}
        </Columns>
      </Step>
      <Step title={words.steps.key}>
        <details>
          <summary className={styles.policy}>{words.policyText}</summary>
          <CodeBlock
            label={words.policy}
            text={policyOf(draft[fieldOf('s3', 'bucket')] ?? '')}
            copyLabel={words.copyPolicy}
          />
        </details>
        <Columns>
          <TextField required mono label={words.accessKeyId} hint={words.accessKeyHint} {...text('access_key_id')} />
          <PasswordField
            required
            label={words.secretAccessKey}
            hint={words.secretHint}
            {...of('secret_access_key')}
            autoComplete="new-password"
          />
        </Columns>
      </Step>
    </Stack>
  );
}

export function AzureFields(props: SettingsFieldsProps) {
  const words = useWords().storage;
  const { of, place } = useFields('azure', props);
  return (
    <Stack gap={24}>
      <Step title={words.steps.place}>
        <Columns>
          <TextField
            type="url"
            label={words.endpoint}
            hint={words.azureEndpointHint}
            placeholder="https://"
            {...place('endpoint')}
          />
          <TextField required label={words.accountName} hint={words.accountNameHint} {...place('account_name')} />
          <TextField required label={words.container} hint={words.containerHint} {...place('container')} />
        </Columns>
      </Step>
      <Step title={words.steps.key}>
        <p className={styles.note}>{words.azurePolicyText}</p>
        <Columns>
          <PasswordField
            required
            label={words.accountKey}
            hint={words.secretHint}
            {...of('account_key')}
            autoComplete="new-password"
          />
        </Columns>
      </Step>
    </Stack>
  );
}
