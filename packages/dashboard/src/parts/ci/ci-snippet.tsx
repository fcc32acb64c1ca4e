import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { Button, Inline, SecretOnce, Select, Stack, writeClipboard } from '../../ui';
import { useWords } from '../../words/words-provider';
import { CI_SYSTEMS, type CiSystem, snippetOf } from './ci-snippets';
import styles from './ci-snippet.module.css';

export interface CiSnippetProps {
  readonly organizationId: string;
  readonly projectId: string;
  /** The value of a token that was just created. Without it, the first copy creates one with the role `UPLOAD_BUILD`. */
  readonly token?: string;
}

const HIDDEN = 'ag_prj_…';

/** The upload snippet for a CI system. The copied text has the ids of the project and a real token; the shown one hides it. */
export function CiSnippet(props: CiSnippetProps) {
  const { organizationId, projectId } = props;
  const words = useWords().project.snippet;
  const [system, setSystem] = useState<CiSystem>('github');
  const snippet = (token: string): string =>
    snippetOf(system, { address: location.origin, organizationId, projectId, token });
  return (
    <Stack gap={12}>
      <div className={styles.head}>
        <Select
          label={words.system}
          value={system}
          onChange={(event) => setSystem(event.target.value as CiSystem)}
          options={CI_SYSTEMS}
        />
        <CopySnippet
          {...props}
          name={CI_SYSTEMS.find(({ value }) => value === system)?.label ?? system}
          snippet={snippet}
        />
      </div>
      {/* The code scrolls, so it must be focusable by keyboard. */}
      <pre className={styles.code} tabIndex={0} role="region" aria-label={words.code}>
        <code>{snippet(HIDDEN)}</code>
      </pre>
    </Stack>
  );
}

interface CopySnippetProps extends CiSnippetProps {
  /** The name of the CI system, which becomes the name of the new token. */
  readonly name: string;
  readonly snippet: (token: string) => string;
}

function CopySnippet({ organizationId, projectId, token: given, name, snippet }: CopySnippetProps) {
  const words = useWords().project.snippet;
  const ui = useWords().ui;
  const may = useMay({ organizationId, projectId });
  const creation = useNewToken(organizationId, projectId);
  const [outcome, setOutcome] = useState({ of: '', text: '' });
  const [shows, setShows] = useState<'no' | 'now' | 'over'>('no');
  const copy = async (): Promise<void> => {
    setOutcome({ of: '', text: '' });
    try {
      const token = given ?? creation.data?.token ?? (await creation.mutateAsync(name)).token;
      const isCopied = await writeClipboard(snippet(token));
      setOutcome({ of: name, text: isCopied ? ui.copied : ui.copyFailed });
    } catch {
      // The alert shows why there is no token.
    }
  };
  const made = creation.data;
  return (
    <>
      <Inline>
        <Button
          icon="copy"
          busy={creation.isPending}
          disabledReason={given === undefined ? may('POST /project-access-tokens') : undefined}
          onClick={() => void copy()}
        >
          {words.copy}
        </Button>
        <span role="status" className={styles.status}>
          {outcome.of === name ? outcome.text : ''}
        </span>
      </Inline>
      {creation.error && (
        <p role="alert" className={styles.note}>
          {creation.error.message}
        </p>
      )}
      {given === undefined && !made && !creation.error && <p className={styles.note}>{words.makesToken}</p>}
      {made && (
        <p className={styles.note}>
          {words.hasToken(made.name)}{' '}
          {shows === 'no' && (
            <Button variant="quiet" icon="eye" onClick={() => setShows('now')}>
              {words.showToken}
            </Button>
          )}
        </p>
      )}
      {made && shows === 'now' && <NewToken value={made.token} onDone={() => setShows('over')} />}
    </>
  );
}

function useNewToken(organizationId: string, projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      api.request('POST /project-access-tokens', {
        query: { organization_id: organizationId, project_id: projectId },
        body: { name, role: 'UPLOAD_BUILD' },
      }),
    onSuccess: () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(projectId) }),
  });
}

function NewToken({ value, onDone }: { value: string; onDone: () => void }) {
  const words = useWords().project.snippet.secret;
  return (
    <SecretOnce
      title={words.title}
      label={words.label}
      value={value}
      copyLabel={words.copy}
      keptLabel={words.kept}
      doneLabel={words.done}
      doneReason={words.reason}
      onDone={onDone}
    >
      {words.text}
    </SecretOnce>
  );
}
