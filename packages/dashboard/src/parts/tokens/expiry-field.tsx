import { useState } from 'react';
import { Select, TextField } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

const DAY_MS = 86_400_000;
const CHOICES = ['30', '90', '365', 'day', 'never'] as const;
type Choice = (typeof CHOICES)[number];

/** The end of a calendar day in the browser's time zone, given as `2027-11-20`. */
const endOf = (day: string): Date => new Date(`${day}T23:59:59.999`);

const dayAfter = (days: number): string => {
  const date = new Date(Date.now() + days * DAY_MS);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
};

/** The end of the day after a number of days, in the format of the API. */
export const expiryAfter = (days: number): string => endOf(dayAfter(days)).toISOString();

/** The expiry of a token in a form, in the format of the API: an instant, or null for never. */
export function expiryOf(values: FormData): string | null {
  const choice = values.get('expiry') as Choice;
  if (choice === 'never') return null;
  return choice === 'day' ? endOf(values.get('expires_at') as string).toISOString() : expiryAfter(Number(choice));
}

/** The fields "Expires" of a form for a token. `expiryOf` reads them. */
export function ExpiryField({ defaultChoice }: { defaultChoice: Choice }) {
  const words = useWords().tokens;
  const format = useFormat();
  const [choice, setChoice] = useState<Choice>(defaultChoice);
  const hint =
    choice === 'never'
      ? words.expiresNever
      : choice !== 'day' && words.expiresOn(format.date(dayAfter(Number(choice))));
  return (
    <>
      <Select
        label={words.expires}
        name="expiry"
        hint={hint}
        value={choice}
        onChange={(event) => setChoice(event.target.value as Choice)}
        options={CHOICES.map((value) => ({ value, label: words.expiries[value] }))}
      />
      {choice === 'day' && (
        <TextField
          label={words.day}
          name="expires_at"
          type="date"
          required
          min={dayAfter(0)}
          defaultValue={dayAfter(30)}
        />
      )}
    </>
  );
}
