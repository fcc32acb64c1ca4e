import { useBlocker } from '@tanstack/react-router';
import { useId } from 'react';
import { AlertDialog, Form, type FormProps } from '../ui';
import { useWords } from '../words/words-provider';

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
  const { unsaved: words } = useWords().frame;
  const id = useId();
  const hasTyped = (): boolean => isEdited(document.getElementById(id));
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      next.pathname !== current.pathname && next.pathname !== '/login' && hasTyped(),
    enableBeforeUnload: hasTyped,
    withResolver: true,
  });
  return (
    <>
      <Form id={id} {...props} />
      <AlertDialog
        open={status === 'blocked'}
        title={words.heading}
        confirmLabel={words.leave}
        onConfirm={() => proceed?.()}
        onCancel={() => reset?.()}
      >
        <p>{words.text}</p>
      </AlertDialog>
    </>
  );
}
