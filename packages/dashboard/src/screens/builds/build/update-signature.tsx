import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LoadError } from '../../../parts/lists/load-error';
import { UpdatesSection } from '../../../parts/updates/updates-section';
import { useUpdatesPlace } from '../../../parts/updates/use-updates-place';
import { type Build } from '../../../queries/project/builds';
import { putUpdateSignature, updateSignatureQuery } from '../../../queries/project/update-signature';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Form, Skeleton, SubmitRow, TextArea, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';

const PLACE = 'signature';

/** The signature by which the updater of a desktop app accepts the build. The developer makes it. */
export function UpdateSignature({ build }: { build: Build }) {
  const words = useWords().updates.signature;
  const [{ updates }] = useUpdatesPlace();
  return (
    <UpdatesSection title={words.heading} place={PLACE} isOpen={updates === PLACE}>
      <LoadedForm build={build} />
    </UpdatesSection>
  );
}

function LoadedForm({ build }: { build: Build }) {
  const { scope } = useProjectPlace();
  const { data: signature, error, refetch } = useQuery(updateSignatureQuery(scope, build.id));
  if (signature !== undefined) return <SignatureForm key={build.id} build={build} signature={signature} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Skeleton count={3} />;
}

function SignatureForm({ build, signature }: { build: Build; signature: string | null }) {
  const words = useWords().updates.signature;
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (text: string) => putUpdateSignature(scope, build.id, text.trim() || null),
    onSuccess: (saved) => {
      queryClient.setQueryData(updateSignatureQuery(scope, build.id).queryKey, saved);
      toast(words.saved, { tone: 'success' });
    },
  });
  return (
    <Form errors={change.error} onSubmit={(values) => change.mutate(values.get('signature') as string)}>
      <TextArea
        label={words.field}
        hint={words.hint}
        name="signature"
        defaultValue={signature ?? ''}
        maxLength={1024}
        spellCheck={false}
        mono
      />
      <SubmitRow busy={change.isPending} disabledReason={may('PUT /builds/{build_id}/update-signature')}>
        {words.save}
      </SubmitRow>
    </Form>
  );
}
