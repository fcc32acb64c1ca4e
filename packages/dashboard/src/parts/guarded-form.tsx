import { useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useId, useState } from 'react';
import { AlertDialog, Form, type FormProps } from '../ui';
import { useWords } from '../words/words-provider';
import styles from './guarded-form.module.css';

/** Whether a text of the form differs from what the service has. */
function isEdited(form: HTMLElement | null): boolean {
  const fields = form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=checkbox]), textarea');
  return [...(fields ?? [])].some(({ value, defaultValue }) => value.trim() !== defaultValue.trim());
}

/**
 * A form on a screen whose fields have a `defaultValue`. Leaving the screen, or the page, with a text that was typed and not saved needs a
 * confirmation. The end of the session needs none: the texts are kept for the login.
 */
export function GuardedForm(props: Omit<FormProps, 'id'>) {
  const { history } = useRouter();
  const id = useId();
  const [answer, setAnswer] = useState<((stays: boolean) => void) | null>(null);
  useEffect(() => {
    const hasTyped = (): boolean => isEdited(document.getElementById(id));
    return history.block({
      enableBeforeUnload: hasTyped,
      blockerFn: async ({ currentLocation, nextLocation: { pathname } }) => {
        if (pathname === currentLocation.pathname || pathname === '/login' || !hasTyped()) return false;
        const stays = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
        setAnswer(null);
        return stays;
      },
    });
  }, [history, id]);
  return (
    <>
      <Form id={id} className={styles.form} {...props} />
      <Suspense>{answer && <Question onAnswer={answer} />}</Suspense>
    </>
  );
}

function Question({ onAnswer }: { onAnswer: (stays: boolean) => void }) {
  const { unsaved: words } = useWords().settings;
  return (
    <AlertDialog
      title={words.heading}
      confirmLabel={words.leave}
      onConfirm={() => onAnswer(false)}
      onCancel={() => onAnswer(true)}
    >
      <p>{words.text}</p>
    </AlertDialog>
  );
}
