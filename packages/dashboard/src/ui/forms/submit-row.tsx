import { Button, type ButtonProps } from '../actions/button';

/** The button that submits a form, as wide as its text. */
export function SubmitRow(props: Omit<ButtonProps, 'type'>) {
  return (
    <div>
      <Button type="submit" {...props} />
    </div>
  );
}
