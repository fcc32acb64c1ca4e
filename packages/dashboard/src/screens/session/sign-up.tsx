import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { serviceQuery } from '../../queries/account/session';
import { keyOf } from '../../queries/keys';
import { api } from '../../session/api';
import { solveCaptcha } from '../../session/captcha';
import { Button, Form, Heading, PasswordField, TextField, textOf } from '../../ui';
import { useTexts } from '../../words/words-provider';
import styles from './entrance.module.css';
import { Inbox } from './inbox';

interface Account {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export function SignUp() {
  const { words, language } = useTexts();
  const { signUp, inbox, logIn } = words.session;
  const { next } = useSearch({ from: '/visitor/signup' });
  const { data: service } = useQuery(serviceQuery);
  useTitle(signUp.heading);
  // The proof of work is solved while the form is filled in.
  const captcha = useQuery({
    queryKey: keyOf('captcha'),
    enabled: service !== undefined && service.captcha !== 'none',
    staleTime: 9 * 60_000,
    refetchInterval: 9 * 60_000,
    queryFn: async () => solveCaptcha(await api.request('GET /captcha', { query: { for: 'sign_up' } })),
  });
  const submission = useMutation({
    mutationFn: async ({ name, email, password }: Account) => {
      const solution = captcha.isEnabled ? (captcha.data ?? (await captcha.refetch()).data) : undefined;
      if (captcha.isEnabled && !solution) throw new Error(logIn.noCaptcha);
      await api.request('POST /developers', {
        body: { email, password, ...(solution && { captcha: solution }), ...(name !== '' && { name }) },
      });
    },
  });
  if (submission.isSuccess) {
    const { email } = submission.variables;
    return (
      <Inbox
        text={inbox.verification(email)}
        onAgain={() =>
          api.request('POST /developers/resend-verification', { query: { lang: language }, body: { email } })
        }
      />
    );
  }
  return (
    <>
      <Heading>{signUp.heading}</Heading>
      {service?.sign_up === 'closed' && <p role="note">{signUp.closed}</p>}
      {service?.sign_up === 'invited' && <p role="note">{signUp.invited}</p>}
      <Form
        errors={submission.error}
        onSubmit={(values) => {
          const field = (name: string): string => textOf(values, name);
          submission.mutate({ name: field('name').trim(), email: field('email'), password: field('password') });
        }}
      >
        <TextField label={signUp.name} name="name" autoComplete="name" maxLength={100} />
        <TextField label={signUp.email} name="email" type="email" autoComplete="username" required />
        <PasswordField
          label={signUp.password}
          hint={signUp.passwordHint}
          name="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={256}
          required
        />
        <Button type="submit" variant="primary" busy={submission.isPending}>
          {signUp.submit}
        </Button>
        {submission.isPending && captcha.isEnabled && captcha.data === undefined && (
          <p role="status">{logIn.solving}</p>
        )}
      </Form>
      <p className={styles.links}>
        <Link to="/login" search={next === undefined ? {} : { next }}>
          {signUp.haveAccount}
        </Link>
      </p>
    </>
  );
}
