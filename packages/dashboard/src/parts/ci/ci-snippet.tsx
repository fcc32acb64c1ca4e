import { useState } from 'react';
import { CopyButton, Select, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './ci-snippet.module.css';
import { CI_SYSTEMS, type CiSystem, secretCommandOf, workflowOf } from './ci-snippets';
import { type NewToken, SecretCommand } from './secret-command';

export interface CiSnippetProps {
  readonly organizationId: string;
  readonly projectId: string;
}

const HIDDEN = 'ag_prj_…';

/**
 * How a CI system uploads builds: a command that gives it a token, to be run once, and a workflow without a secret, to be committed. They are
 * copied apart, because a text with both would end up in the repository.
 */
export function CiSnippet({ organizationId, projectId }: CiSnippetProps) {
  const words = useWords().project.snippet;
  const [system, setSystem] = useState<CiSystem>('github');
  const [tokens, setTokens] = useState<Partial<Record<CiSystem, NewToken>>>({});
  const workflow = workflowOf(system, { address: location.origin, organizationId, projectId });
  return (
    <Stack gap={12}>
      <Select
        label={words.system}
        value={system}
        onChange={(event) => setSystem(event.target.value as CiSystem)}
        options={CI_SYSTEMS}
      />
      <Code label={words.secretCommand} text={secretCommandOf(system, HIDDEN)} />
      <SecretCommand
        key={system}
        organizationId={organizationId}
        projectId={projectId}
        name={CI_SYSTEMS.find(({ value }) => value === system)?.label ?? system}
        token={tokens[system]}
        commandOf={(token) => secretCommandOf(system, token)}
        onMade={(token) => setTokens((all) => ({ ...all, [system]: token }))}
      />
      <Code label={words.workflow} text={workflow} />
      <div className={styles.act}>
        <CopyButton label={words.copyWorkflow} value={workflow} />
        <p className={styles.note}>{words.workflowNote}</p>
      </div>
    </Stack>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    // The code scrolls, so it must be focusable by keyboard.
    <pre className={styles.code} tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  );
}
