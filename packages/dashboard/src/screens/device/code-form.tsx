import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button, Card, Form, PageHeader, TextField, textOf } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './device.module.css';
import { asShown, isUserCode } from './user-code';

export interface CodeFormProps {
  /** The code of the address. */
  readonly entered?: string | undefined;
  /** The service's response to the code. */
  readonly problem?: string;
}

/** The form for the code that a program shows. */
export function CodeForm({ entered = '', problem }: CodeFormProps) {
  const words = useWords().device;
  const navigate = useNavigate({ from: '/device' });
  const [isMalformed, setIsMalformed] = useState(entered !== '' && !isUserCode(entered));
  const refusal = isMalformed ? words.malformed : problem;
  const errors = useMemo(
    () => (refusal === undefined ? null : { message: refusal, fields: new Map([['code', refusal]]) }),
    [refusal],
  );
  const submit = (values: FormData): void => {
    const code = textOf(values, 'code');
    setIsMalformed(!isUserCode(code));
    if (isUserCode(code)) void navigate({ search: { code: asShown(code) } });
  };
  return (
    <>
      <PageHeader title={words.heading} detail={words.detail} />
      <Card title={words.entry} hideTitle>
        <Form onSubmit={submit} errors={errors}>
          <TextField
            label={words.code}
            hint={words.codeHint}
            name="code"
            defaultValue={entered}
            className={styles.code}
            mono
            required
            autoFocus
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
          />
          <Button type="submit" variant="primary">
            {words.proceed}
          </Button>
        </Form>
      </Card>
    </>
  );
}
