import { PLATFORMS } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { GuardedForm } from '../../parts/guarded-form';
import { LoadError } from '../../parts/lists/load-error';
import { UpdatesSection } from '../../parts/updates/updates-section';
import { SUPPORTED_VERSIONS, useUpdatesPlace } from '../../parts/updates/use-updates-place';
import {
  changeMinSupportedVersions,
  type MinSupportedVersions as Versions,
  minSupportedVersionsQuery,
} from '../../queries/project/min-supported-versions';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Skeleton, SubmitRow, TextField, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './project-settings.module.css';

/** The versions below which installed apps must be updated. */
export function MinSupportedVersions() {
  const words = useWords().updates.supported;
  const [{ updates }] = useUpdatesPlace();
  return (
    <UpdatesSection title={words.heading} place={SUPPORTED_VERSIONS} isOpen={updates === SUPPORTED_VERSIONS}>
      <LoadedForm />
    </UpdatesSection>
  );
}

function LoadedForm() {
  const { scope } = useProjectPlace();
  const { data: versions, error, refetch } = useQuery(minSupportedVersionsQuery(scope));
  if (versions) return <VersionsForm versions={versions} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Skeleton count={4} />;
}

const versionsOf = (values: FormData): Versions =>
  Object.fromEntries(
    PLATFORMS.map((platform) => [platform, (values.get(platform) as string).trim() || null]),
  ) as unknown as Versions;

function VersionsForm({ versions }: { versions: Versions }) {
  const { updates, builds } = useWords();
  const words = updates.supported;
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (body: Versions) => changeMinSupportedVersions(scope, body),
    onSuccess: (changed) => {
      queryClient.setQueryData(minSupportedVersionsQuery(scope).queryKey, changed);
      toast(words.saved, { tone: 'success' });
    },
  });
  return (
    <GuardedForm errors={change.error} onSubmit={(values) => change.mutate(versionsOf(values))}>
      <p className="soft">{words.text}</p>
      <div className={styles.versions}>
        {PLATFORMS.map((platform) => (
          <TextField
            key={platform}
            label={platform === 'android' ? words.versionCode : words.version(builds.platforms[platform] ?? platform)}
            name={platform}
            defaultValue={versions[platform] ?? ''}
            maxLength={128}
            autoComplete="off"
          />
        ))}
      </div>
      <SubmitRow busy={change.isPending} disabledReason={may('PATCH /projects/{project_id}/min-supported-versions')}>
        {words.save}
      </SubmitRow>
    </GuardedForm>
  );
}
