import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Service } from '../../queries/organization/billing';
import { type StorageCheck } from '../../queries/organization/own-storage';
import { Card, RadioCards } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type StorageKind } from './settings';
import { SettingsForm } from './settings-form';

interface SetUpProps {
  readonly kinds: Service['own_storage'];
  readonly onSaved: (checks: readonly StorageCheck[]) => void;
}

/** The set-up of an own storage account: the kind, which is in the address, its fields, the checks. */
export function SetUp({ kinds, onSaved }: SetUpProps) {
  const words = useWords().storage;
  const { kind: wanted } = useSearch({ from: '/member/o/$org/storage' });
  const navigate = useNavigate({ from: '/o/$org/storage' });
  const kind: StorageKind = kinds.find((one) => one === wanted) ?? kinds[0] ?? 's3';
  return (
    <Card title={words.setUp}>
      <SettingsForm kind={kind} onSaved={onSaved}>
        <RadioCards
          label={words.kind}
          name="kind"
          value={kind}
          onValue={(value) => void navigate({ search: { kind: value }, replace: true })}
          options={kinds.map((value) => ({ value, label: words.kinds[value], hint: words.kindHints[value] }))}
        />
      </SettingsForm>
    </Card>
  );
}
