import { useState } from 'react';
import { type TokenScope } from '../../../queries/account/personal-tokens';
import { CheckboxGroup, RadioGroup } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './personal-tokens.module.css';

const READ: readonly TokenScope[] = [
  'organization:read',
  'projects:read',
  'builds:read',
  'channels:read',
  'releases:read',
  'testers:read',
];

/** The usual sets of scopes, from the smallest to the largest. `everything` is what the texts name: each scope has one. */
const PRESETS = {
  read: () => READ,
  upload: () => [...READ, 'builds:upload', 'releases:write'] as const,
  everything: (names: Readonly<Record<TokenScope, string>>) => Object.keys(names) as TokenScope[],
} satisfies Record<string, (names: Readonly<Record<TokenScope, string>>) => readonly TokenScope[]>;

/** The scopes that were chosen in a form. */
export const scopesOf = (values: FormData): TokenScope[] =>
  (values.getAll('scopes') as string[]).flatMap((value) => value.split(' ')) as TokenScope[];

/** The preset with exactly these scopes; null when there is none. */
export function presetOf(
  scopes: readonly TokenScope[],
  names: Readonly<Record<TokenScope, string>>,
): keyof typeof PRESETS | null {
  const isSame = (preset: readonly TokenScope[]): boolean =>
    preset.length === scopes.length && preset.every((scope) => scopes.includes(scope));
  const keys = Object.keys(PRESETS) as (keyof typeof PRESETS)[];
  return keys.find((key) => isSame(PRESETS[key](names))) ?? null;
}

/** What a token may do: one of three usual sets, or single scopes. */
export function ScopesField() {
  const words = useWords().tokens;
  const [preset, setPreset] = useState<keyof typeof PRESETS | 'choose'>('read');
  const [chosen, setChosen] = useState<readonly string[]>(READ);
  const pick = (value: string): void => {
    const next = value as typeof preset;
    setPreset(next);
    // Choosing single scopes begins with the set that was chosen before.
    if (next !== 'choose') setChosen(PRESETS[next](words.scopeNames));
  };
  return (
    <>
      <RadioGroup
        label={words.scopes}
        name="preset"
        hint={words.scopesHint}
        value={preset}
        onValue={pick}
        options={Object.entries(words.presets).map(([value, [label, hint]]) => ({ value, label, hint }))}
      />
      {preset === 'choose' ? (
        <CheckboxGroup
          label={words.presets.choose[0]}
          hideLabel
          name="scopes"
          className={styles.scopes}
          value={chosen}
          onValue={setChosen}
          options={Object.entries(words.scopeNames).map(([value, label]) => ({ value, label }))}
        />
      ) : (
        <input type="hidden" name="scopes" value={chosen.join(' ')} />
      )}
    </>
  );
}
