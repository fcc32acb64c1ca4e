import { ApiError } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { type InvitationPreview, invitationPreviewQuery } from '../../queries/account/own-invitations';
import { sessionQuery } from '../../queries/account/session';
import { api } from '../../session/api';
import { homeOf } from '../../session/home-of';
import { logOut } from '../../session/log-out';
import { Button, buttonClass, Form, Heading, PasswordField, TextField, textOf } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './entrance.module.css';

/** The page behind the mailed link of an invitation. Its token proves the address, so that one form is enough to join. */
export function Join() {
  const words = useWords().join;
  const { token = '' } = useSearch({ from: '/entrance/join' });
  const preview = useQuery(invitationPreviewQuery(token));
  const session = useQuery(sessionQuery);
  useTitle(words.title);
  if (preview.data && session.data) {
    return <Invitation token={token} invitation={preview.data} own={session.data.developer?.email} />;
  }
  const error = preview.error ?? session.error;
  return error ? (
    <Unusable error={error} onRetry={() => void preview.refetch()} />
  ) : (
    <p role="status">{words.loading}</p>
  );
}

/** The link does not work, or the service did not respond. */
function Unusable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const words = useWords().join;
  const isFinal = error instanceof ApiError && [400, 422].includes(error.status);
  return (
    <>
      <Heading>{isFinal ? words.unusable.heading : words.title}</Heading>
      <p role="alert">{isFinal ? words.unusable.text : error.message}</p>
      {isFinal ? (
        <p className={styles.links}>
          <Link to="/">{words.unusable.logIn}</Link>
        </p>
      ) : (
        <Button onClick={onRetry}>{words.again}</Button>
      )}
    </>
  );
}

interface InvitationProps {
  readonly token: string;
  readonly invitation: InvitationPreview;
  /** The address of the developer who is logged in. */
  readonly own: string | undefined;
}

function Invitation({ token, invitation, own }: InvitationProps) {
  const { join: words, roles } = useWords();
  const format = useFormat();
  const { organization_name: name, invited_by_label: by, email, has_account: hasAccount } = invitation;
  const isOwn = own?.toLowerCase() === email.toLowerCase();
  return (
    <>
      <Heading>{words.heading(by, name, format.quoted(invitation.roles.map((role) => roles[role])))}</Heading>
      {own !== undefined && !isOwn && <OtherAccount email={email} own={own} />}
      {(own === undefined || isOwn) &&
        (!hasAccount ? (
          <SignUp token={token} invitation={invitation} />
        ) : isOwn ? (
          <Accept token={token} invitation={invitation} />
        ) : (
          <>
            <p>{words.hasAccount(email)}</p>
            <Link
              to="/login"
              search={{ next: `/join?token=${encodeURIComponent(token)}` }}
              state={{ email }}
              className={buttonClass('primary')}
            >
              {words.logIn}
            </Link>
          </>
        ))}
    </>
  );
}

/** Opens the organization, with the session as it is after joining. */
function useEnter({ organization_id }: InvitationPreview): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    queryClient.clear();
    const { organizations } = await queryClient.fetchQuery(sessionQuery);
    const joined = organizations.find(({ id }) => id === organization_id);
    await navigate(joined ? homeOf(joined) : { to: '/' });
  };
}

interface JoinProps {
  readonly token: string;
  readonly invitation: InvitationPreview;
}

function Accept({ token, invitation }: JoinProps) {
  const words = useWords().join;
  const enter = useEnter(invitation);
  const acceptance = useMutation({
    mutationFn: () => api.request('POST /organizations/invitations/accept', { body: { token } }),
    onSuccess: enter,
  });
  return (
    <>
      <p>{words.loggedIn(invitation.email)}</p>
      <Button variant="primary" busy={acceptance.isPending} onClick={() => acceptance.mutate()}>
        {words.join}
      </Button>
      {acceptance.error && <p role="alert">{acceptance.error.message}</p>}
    </>
  );
}

/** A new account. The address is given, and its field tells password managers which account the password belongs to. */
function SignUp({ token, invitation }: JoinProps) {
  const { join: words, session } = useWords();
  const { signUp } = session;
  const enter = useEnter(invitation);
  const joining = useMutation({
    mutationFn: ({ name, password }: { readonly name: string; readonly password: string }) =>
      api.request('POST /login/invitation', {
        body: { token, password, cookies_only: true, ...(name !== '' && { name }) },
      }),
    onSuccess: enter,
  });
  if (!invitation.may_sign_up) return <p role="note">{words.rejected(invitation.email)}</p>;
  return (
    <Form
      errors={joining.error}
      onSubmit={(values) =>
        joining.mutate({ name: textOf(values, 'name').trim(), password: textOf(values, 'password') })
      }
    >
      <TextField
        label={signUp.email}
        name="email"
        type="email"
        autoComplete="username"
        value={invitation.email}
        readOnly
      />
      <TextField label={words.name} name="name" autoComplete="name" maxLength={100} autoFocus />
      <PasswordField
        label={signUp.password}
        hint={signUp.passwordHint}
        name="password"
        autoComplete="new-password"
        minLength={10}
        maxLength={256}
        required
      />
      <Button type="submit" variant="primary" busy={joining.isPending}>
        {words.join}
      </Button>
    </Form>
  );
}

function OtherAccount({ email, own }: { email: string; own: string }) {
  const words = useWords().join;
  const leaving = useMutation({ mutationFn: () => logOut(location.pathname + location.search) });
  return (
    <>
      <p>{words.other(email, own)}</p>
      <Button variant="primary" busy={leaving.isPending} onClick={() => leaving.mutate()}>
        {words.logOut}
      </Button>
      {leaving.error && <p role="alert">{leaving.error.message}</p>}
    </>
  );
}
