import { type NewProjectAccessTokenResponse } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChanged } from '../../queries/changes';
import { createProjectToken, findProjectToken } from '../../queries/project/project-tokens';
import { useMay } from '../../session/use-may';
import { AlertDialog, Button, Inline, SecretOnce, writeClipboard } from '../../ui';
import { useWords } from '../../words/words-provider';
import { expiryAfter } from '../tokens/expiry-field';
import styles from './ci-snippet.module.css';

export type NewToken = Pick<NewProjectAccessTokenResponse, 'name' | 'last4' | 'token'>;

const TOKEN_DAYS = 365;

export interface SecretCommandProps {
  readonly organizationId: string;
  readonly projectId: string;
  /** The name of the CI system, which becomes the name of the token. */
  readonly name: string;
  /** The token that was made for this system since the screen was opened. */
  readonly token: NewToken | undefined;
  readonly commandOf: (token: string) => string;
  readonly onMade: (token: NewToken) => void;
}

/**
 * Copies the command that gives a token to a CI system. The first copy makes the token, with the role `UPLOAD_BUILD`, and asks before it makes a
 * second one of the same name, because a reload forgets the value of the first.
 */
export function SecretCommand({ organizationId, projectId, name, token, commandOf, onMade }: SecretCommandProps) {
  const { project, frame } = useWords();
  const words = project.snippet;
  const ui = useWords().ui;
  const may = useMay({ organizationId, projectId });
  const [outcome, setOutcome] = useState('');
  const [earlier, setEarlier] = useState<{ readonly last4: string }>();
  const [shows, setShows] = useState<'no' | 'now' | 'over'>('no');
  const making = useMaking({ organizationId, projectId, name });
  const make = async (isAnother: boolean): Promise<void> => {
    setOutcome('');
    try {
      const made = token ?? (await making.mutateAsync(isAnother));
      setEarlier(made && 'token' in made ? undefined : made);
      if (!made || !('token' in made)) return;
      onMade(made);
      setOutcome((await writeClipboard(commandOf(made.token))) ? ui.copied : ui.copyFailed);
    } catch {
      // The alert shows why there is no token.
    }
  };
  return (
    <div className={styles.act}>
      <Inline>
        <Button
          icon="copy"
          busy={making.isPending}
          disabledReason={may('POST /project-access-tokens')}
          onClick={() => void make(false)}
        >
          {words.copySecret}
        </Button>
        <span role="status" className={styles.status}>
          {outcome}
        </span>
      </Inline>
      {making.error && (
        <p role="alert" className={styles.note}>
          {making.error.message}
        </p>
      )}
      {!token && <p className={styles.note}>{words.makesToken}</p>}
      {token && (
        <Inline>
          <span className={styles.note}>{words.made(token.name, token.last4)}</span>
          <Link to="/o/$org/p/$project/tokens" params={{ org: organizationId, project: projectId }}>
            {frame.tokens}
          </Link>
          {shows === 'no' && (
            <Button variant="quiet" icon="eye" onClick={() => setShows('now')}>
              {words.showToken}
            </Button>
          )}
        </Inline>
      )}
      {token && shows === 'now' && (
        <SecretOnce words={words.secret} value={token.token} onDone={() => setShows('over')} />
      )}
      {earlier && (
        <AlertDialog
          title={words.another.title(name)}
          variant="primary"
          confirmLabel={words.another.confirm}
          busy={making.isPending}
          onConfirm={() => void make(true)}
          onCancel={() => setEarlier(undefined)}
        >
          <p>{words.another.text(name, earlier.last4)}</p>
        </AlertDialog>
      )}
    </div>
  );
}

/** Makes the token. Returns the earlier token of this name instead, if there is one and no other is wanted. */
function useMaking({
  organizationId,
  projectId,
  name,
}: Pick<SecretCommandProps, 'organizationId' | 'projectId' | 'name'>) {
  const changed = useChanged();
  const scope = { organization_id: organizationId, project_id: projectId };
  return useMutation({
    mutationFn: async (isAnother: boolean) =>
      (isAnother ? undefined : await findProjectToken(scope, name)) ??
      createProjectToken(scope, { name, role: 'UPLOAD_BUILD', expires_at: expiryAfter(TOKEN_DAYS) }),
    // The value of a token must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: () => changed({ type: 'project_access_token.created', project_id: projectId }),
  });
}
