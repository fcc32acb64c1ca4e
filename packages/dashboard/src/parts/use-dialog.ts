import { useNavigate, useSearch } from '@tanstack/react-router';

/** The search parameters that open a dialog. */
type DialogParameter = 'act' | 'add' | 'create' | 'delete' | 'edit' | 'event' | 'invite' | 'new' | 'promote';

export interface AddressedDialog {
  /** The value of the parameter; undefined while the dialog is closed. */
  readonly value: string | undefined;
  readonly open: (value: string) => void;
  readonly close: () => void;
}

/**
 * A dialog whose address is a search parameter, so that a link opens it and Back closes it. Other parameters of the screen stay, except
 * those `of` the dialog, which it removes with its own.
 */
export function useDialog(name: DialogParameter, of?: 'channel'): AddressedDialog {
  const { [name]: value } = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (shown?: string): void =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...(of && { [of]: undefined }), [name]: shown }),
      // From one step of a dialog to the next, Back still closes it.
      replace: value !== undefined,
      resetScroll: false,
    });
  return { value, open: show, close: () => show() };
}
