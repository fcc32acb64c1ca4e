import { ApiError } from '@agate/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { sessionQuery } from '../../queries/account/session';
import { api } from '../../session/api';
import { solveCaptcha } from '../../session/captcha';
import { afterLogin } from '../../session/next';
import { Button, Form, type FormErrors, hasDrafts, Heading, PasswordField, TextField, textOf } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './entrance.module.css';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly mfa_code?: string;
}

/** Sends the credentials. When the service requires a proof of work after many failures, solves it and sends them again. */
async function logIn(credentials: Credentials): Promise<void> {
  const body = { ...credentials, cookies_only: true };
  try {
    await api.request('POST /login/email', { body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.details['captcha_required'] !== true) throw error;
    const captcha = await solveCaptcha(await api.request('GET /captcha', { query: { for: 'login' } }));
    if (captcha === null) throw error;
    await api.request('POST /login/email', { body: { ...body, captcha } });
  }
}

export function LogIn() {
  const words = useWords().session.logIn;
  const { next, ended } = useSearch({ from: '/visitor/login' });
  const given = useLocation({ select: ({ state }) => state.email });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  useTitle(words.heading);

  const submission = useMutation({
    mutationFn: logIn,
    onSuccess: async () => {
      queryClient.clear();
      await queryClient.fetchQuery(sessionQuery);
      await navigate(afterLogin(next));
    },
    onError: (error) => {
      if (error instanceof ApiError && error.details['mfa_required'] === true) setNeedsCode(true);
      else if (!needsCode) setPassword('');
    },
  });
  const submit = (values: FormData): void => {
    const code = values.get('code');
    submission.mutate({
      email: textOf(values, 'email'),
      password,
      ...(typeof code === 'string' && code !== '' && { mfa_code: code.trim() }),
    });
  };

  const hadCode = submission.variables?.mfa_code !== undefined;
  const errors = useMemo(() => errorsOf(submission.error, hadCode, words), [submission.error, hadCode, words]);

  return (
    <>
      <Heading>{words.heading}</Heading>
      {ended !== undefined && (
        <p role="note" className={styles.note}>
          {words.ended} {hasDrafts() && words.textKept}
        </p>
      )}
      <Form alertFirst onSubmit={submit} errors={errors}>
        <TextField
          label={words.email}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={given}
          required
        />
        <PasswordField
          label={words.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          required
        />
        {needsCode && (
          <TextField
            label={words.code}
            hint={words.codeHint}
            name="code"
            autoComplete="one-time-code"
            inputMode="text"
            autoFocus
            required
          />
        )}
        <Button type="submit" variant="primary" busy={submission.isPending}>
          {words.submit}
        </Button>
      </Form>
      <p className={styles.links}>
        <Link to="/forgot-password">{words.forgot}</Link>
        <Link to="/signup" search={next === undefined ? {} : { next }}>
          {words.signUp}
        </Link>
      </p>
    </>
  );
}

interface LogInWords {
  readonly wrong: string;
  readonly wrongCode: string;
}

/** The error. A request for the code is not an error: the field appears. */
function errorsOf(error: Error | null, hadCode: boolean, words: LogInWords): FormErrors | null {
  if (!(error instanceof ApiError)) return error;
  if (error.details['mfa_required'] === true) return hadCode ? { message: words.wrongCode } : null;
  return error.status === 401 ? { message: words.wrong } : error;
}
