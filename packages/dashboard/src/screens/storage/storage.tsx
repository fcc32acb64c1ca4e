import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { LoadError } from '../../parts/lists/load-error';
import { NeedsRole } from '../../parts/members/needs-role';
import { serviceQuery } from '../../queries/account/session';
import { type Service } from '../../queries/organization/billing';
import { type OwnStorage, ownStorageQuery, type StorageCheck } from '../../queries/organization/own-storage';
import { Button, buttonClass, Card, EmptyState, PageHeader, RadioCards, Skeleton, Stack, Steps } from '../../ui';
import { useWords } from '../../words/words-provider';
import { ConfiguredStorage } from './own-storage';
import { type StorageKind } from './settings';
import { SettingsForm } from './settings-form';
import { useStoragePlace } from './use-storage-place';

/** The storage of an organization's builds: the service's, or the organization's own bucket or container. */
export function Storage() {
  const words = useWords().storage;
  const { organization, may } = useStoragePlace();
  useTitle(words.heading, organization?.name);
  const reason = may('GET /organizations/{organization_id}/byosa');
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        actions={reason !== undefined && <Button disabledReason={reason}>{words.setUp}</Button>}
      />
      {reason === undefined ? <OpenStorage /> : <NeedsRole reason={reason} />}
    </Stack>
  );
}

function OpenStorage() {
  const { organizationId } = useStoragePlace();
  const storage = useQuery(ownStorageQuery(organizationId));
  const service = useQuery(serviceQuery);
  if (storage.data && service.data) return <LoadedStorage storage={storage.data} service={service.data} />;
  const failed = [storage, service].find(({ error }) => error);
  if (failed?.error) return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />;
  return <Skeleton shape="cards" count={2} />;
}

interface LoadedStorageProps {
  readonly storage: OwnStorage;
  readonly service: Service;
}

function LoadedStorage({ storage, service }: LoadedStorageProps) {
  const { organization } = useStoragePlace();
  const [checks, setChecks] = useState<readonly StorageCheck[] | null>(null);
  const offer = service.plans.find(({ plan }) => plan === organization?.plan);
  if (storage.state === 'none' && !offer?.features.includes('own_storage')) return <OtherPlan service={service} />;
  return (
    <>
      <StateLine storage={storage} />
      {storage.state === 'none' ? (
        <SetUp kinds={service.own_storage} onSaved={setChecks} />
      ) : (
        <ConfiguredStorage storage={storage} checks={checks} onChecks={setChecks} />
      )}
    </>
  );
}

const STATES = ['none', 'configured', 'active'] as const;
/** The way back is shown only while it happens: it is not a goal. */
const STATES_WITH_END = [...STATES, 'draining'] as const;

function StateLine({ storage: { state, receives_artifacts: receives } }: { readonly storage: OwnStorage }) {
  const words = useWords().storage;
  const states = state === 'draining' ? STATES_WITH_END : STATES;
  const at = STATES_WITH_END.indexOf(state);
  const text = state === 'draining' && receives ? 'drainingReceives' : state;
  return (
    <Card title={words.state} hideTitle>
      <Stack gap={12}>
        <Steps
          label={words.state}
          items={states.map((one, index) => ({
            label: words.states[one],
            state: index < at ? 'done' : index === at ? 'current' : 'todo',
          }))}
        />
        <p role="status">{words.stateText[text]}</p>
        {state === 'none' && <p>{words.about}</p>}
      </Stack>
    </Card>
  );
}

/** Names the plan that permits an own storage account. */
function OtherPlan({ service }: { readonly service: Service }) {
  const words = useWords();
  const { organizationId } = useStoragePlace();
  const offer = service.plans.find(({ features }) => features.includes('own_storage'));
  return (
    <EmptyState
      icon="lock"
      title={words.storage.needsPlan(words.billing.plans[offer?.plan ?? 'business'])}
      actions={
        <Link className={buttonClass()} to="/o/$org/billing" params={{ org: organizationId }} search={{ act: 'plan' }}>
          {words.storage.seePlans}
        </Link>
      }
    >
      {words.storage.about}
    </EmptyState>
  );
}

interface SetUpProps {
  readonly kinds: Service['own_storage'];
  readonly onSaved: (checks: readonly StorageCheck[]) => void;
}

/** The set-up of an own storage account: the kind, which is in the address, its fields, the checks. */
function SetUp({ kinds, onSaved }: SetUpProps) {
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
