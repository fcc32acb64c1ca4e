import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { api } from '../../session/api';
import { Button, Form, Heading, TextField, textOf } from '../../ui';
import { useTexts } from '../../words/words-provider';
import styles from './entrance.module.css';
import { Inbox } from './inbox';

export function ForgotPassword() {
  const { words, language } = useTexts();
  const { forgot, logIn, inbox } = words.session;
  useTitle(forgot.heading);
  const request = useMutation({
    mutationFn: (email: string) =>
      api.request('POST /developers/reset_password_request', { query: { lang: language }, body: { email } }),
  });
  if (request.isSuccess) {
    return <Inbox text={inbox.reset(request.variables)} onAgain={() => request.mutateAsync(request.variables)} />;
  }
  return (
    <>
      <Heading>{forgot.heading}</Heading>
      <p>{forgot.explanation}</p>
      <Form errors={request.error} onSubmit={(values) => request.mutate(textOf(values, 'email'))}>
        <TextField label={logIn.email} name="email" type="email" autoComplete="username" required />
        <Button type="submit" variant="primary" busy={request.isPending}>
          {forgot.submit}
        </Button>
      </Form>
      <p className={styles.links}>
        <Link to="/login">{forgot.back}</Link>
      </p>
    </>
  );
}
