import { type ReactNode, useId } from 'react';
import { Button, type ButtonProps } from '../actions/button';
import { Form, type FormProps } from '../forms/form';
import { useUiWords } from '../ui-words';
import { Dialog, type DialogProps } from './dialog';

export interface FormDialogProps
  extends
    Omit<DialogProps, 'footer' | 'locked' | 'busy'>,
    Pick<FormProps, 'onSubmit' | 'errors'>,
    Pick<ButtonProps, 'icon' | 'busy' | 'disabledReason'> {
  /** Called by the button that cancels, if it also discards what was typed. Default `onClose`, which keeps it. */
  readonly onCancel?: () => void;
  /** The text of the button that submits. */
  readonly submitLabel: ReactNode;
  /** Default `primary`. */
  readonly variant?: 'primary' | 'danger';
  /** Shown above the form. */
  readonly intro?: ReactNode;
}

/**
 * A dialog with one form, a button that cancels, and one that submits. The fields are its children. It does not close while it is busy: the
 * action would run on, and its outcome would not be shown.
 */
export function FormDialog(props: FormDialogProps) {
  const {
    submitLabel,
    variant = 'primary',
    icon,
    busy,
    disabledReason,
    intro,
    onSubmit,
    errors,
    children,
    onCancel = props.onClose,
    ...dialog
  } = props;
  const words = useUiWords();
  const form = useId();
  return (
    <Dialog
      {...dialog}
      busy={busy}
      footer={
        <>
          <Button disabledReason={busy ? words.running : undefined} onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" form={form} variant={variant} icon={icon} busy={busy} disabledReason={disabledReason}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {intro}
      <Form id={form} onSubmit={onSubmit} errors={errors}>
        {children}
      </Form>
    </Dialog>
  );
}
