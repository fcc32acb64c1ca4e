import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { RevokeToken } from '../../parts/tokens/revoke-token';
import { TimeOrNever } from '../../parts/tokens/token-state';
import { tokenIn } from '../../parts/tokens/token-value';
import { revokePersonalToken } from '../../queries/account/personal-tokens';
import { type IdentifiedToken, identifyToken } from '../../queries/organization/tokens';
import { revokeProjectToken } from '../../queries/project/project-tokens';
import { Banner, Button, TextField, Time } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './tokens.module.css';

/** A longer text was pasted and contains no token. */
const MAX_TYPED = 12;

/** Says which token a value belongs to as soon as it is pasted, and offers to revoke it. The value leaves the field, and stays nowhere. */
export function IdentifyToken({ organizationId }: { organizationId: string }) {
  const words = useWords().tokens.identify;
  const [text, setText] = useState('');
  const search = useMutation({
    mutationFn: (value: string) => identifyToken(organizationId, value),
    // The value of a token must not stay in the cache of mutations.
    gcTime: 0,
  });
  const change = (changed: string): void => {
    const value = tokenIn(changed);
    setText(value === null ? changed : '');
    if (value !== null) search.mutate(value);
  };
  return (
    <div className={styles.identify}>
      <TextField
        label={words.label}
        hint={words.hint}
        placeholder="ag_prj_…"
        mono
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => change(target.value)}
        error={text.length > MAX_TYPED ? words.malformed : search.error?.message}
      />
      {search.data && <Found key={search.submittedAt} token={search.data} organizationId={organizationId} />}
    </div>
  );
}

interface FoundProps {
  readonly organizationId: string;
  readonly token: IdentifiedToken;
}

function Found({ token, organizationId }: FoundProps) {
  const words = useWords().tokens.identify;
  const [isAsking, setIsAsking] = useState(false);
  const [isRevoked, setIsRevoked] = useState(token.state === 'revoked');
  const { name, project_id: project, project_name: projectName, developer_label: developer } = token;
  const state = isRevoked ? 'revoked' : token.state;
  const title = project ? words.ofProject(name, projectName ?? '') : words.ofDeveloper(name, developer ?? '');
  return (
    <Banner
      tone={state === 'valid' ? 'problem' : 'info'}
      title={title}
      actions={
        // A token whose value was replaced works with its new one: revoking it would stop what it is used for.
        state === 'valid' && (
          <Button variant="danger" onClick={() => setIsAsking(true)}>
            {words.revoke}
          </Button>
        )
      }
    >
      <p role="status">{words.states[state]}</p>
      <p className="soft">
        {words.created} <Time value={token.created_at} /> · {words.used} <TimeOrNever value={token.last_used_at} />
      </p>
      {isAsking && (
        <RevokeToken
          token={token}
          list="organization-tokens"
          revoke={async () => {
            const scope = { organization_id: organizationId, project_id: project ?? '' };
            await (project ? revokeProjectToken(scope, token.id) : revokePersonalToken(organizationId, token.id));
            setIsRevoked(true);
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Banner>
  );
}
