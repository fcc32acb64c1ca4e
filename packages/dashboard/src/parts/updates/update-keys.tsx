import { PLATFORMS } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { type UpdateKey as UpdateKeyData, updateKeysQuery } from '../../queries/project/update-keys';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { LoadError } from '../lists/load-error';
import { NewUpdateKey } from './new-update-key';
import { UpdateKey } from './update-key';
import styles from './updates.module.css';
import { UpdatesSection } from './updates-section';
import { SUPPORTED_VERSIONS, useUpdatesPlace } from './use-updates-place';

const UpdateCode = lazy(async () => ({ default: (await import('./update-code')).UpdateCode }));

export interface UpdateKeysProps {
  /** Null for the keys of the project itself. */
  readonly channelId: string | null;
}

/** The update keys of a channel or a project. */
export function UpdateKeys({ channelId }: UpdateKeysProps) {
  const words = useWords().updates;
  const [{ updates }] = useUpdatesPlace();
  const isOpen = updates !== undefined && updates !== SUPPORTED_VERSIONS;
  return (
    <UpdatesSection title={words.keys} place="keys" isOpen={isOpen}>
      <Keys channelId={channelId} />
    </UpdatesSection>
  );
}

function Keys({ channelId }: UpdateKeysProps) {
  const words = useWords().updates;
  const { scope } = useProjectPlace();
  const { data: keys, error, refetch } = useQuery(updateKeysQuery(scope, channelId));
  const [{ updates, framework }, go] = useUpdatesPlace();
  if (!keys) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Skeleton count={3} />;
  const shown = keys.find(({ id }) => id === updates);
  const close = (): void => go({ updates: 'keys' });
  return (
    <Stack gap={12}>
      {keys.length === 0 && <p className="soft">{words.none}</p>}
      {keys.length > 0 && (
        <ul role="list" aria-label={words.keys} className={styles.keys}>
          {keys.map((key) => (
            <UpdateKey key={key.id} updateKey={key} onCode={() => go({ updates: key.id })} />
          ))}
        </ul>
      )}
      <NewKey channelId={channelId} keys={keys} />
      <Suspense>
        {shown?.url && (
          <UpdateCode
            platform={shown.platform}
            url={shown.url}
            framework={framework}
            onFramework={(chosen) => go({ updates, framework: chosen })}
            onClose={close}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/** The button that opens the dialog. The address stores that it is open. */
function NewKey({ channelId, keys }: UpdateKeysProps & { readonly keys: readonly UpdateKeyData[] }) {
  const words = useWords().updates;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [{ updates }, go] = useUpdatesPlace();
  const free = PLATFORMS.filter((platform) => keys.every((key) => key.platform !== platform));
  const reason = may('POST /update-keys') ?? (free.length === 0 ? words.complete : undefined);
  return (
    <div>
      <Button icon="plus" disabledReason={reason} onClick={() => go({ updates: 'new' })}>
        {words.newKey}
      </Button>
      {updates === 'new' && reason === undefined && (
        <NewUpdateKey
          channelId={channelId}
          platforms={free}
          onCreated={({ id }) => go({ updates: id })}
          onClose={() => go({ updates: 'keys' })}
        />
      )}
    </div>
  );
}
