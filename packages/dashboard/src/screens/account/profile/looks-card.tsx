import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateProfile } from '../../../queries/account/account';
import { sessionQuery, useDeveloper } from '../../../queries/account/session';
import { areSingleKeysOn, keepSingleKeys } from '../../../session/choices/single-keys';
import { keepTheme, type Theme, THEMES, useTheme } from '../../../session/choices/theme';
import { Card, RadioGroup, Switch, useToast } from '../../../ui';
import { type LanguageCode, LANGUAGES } from '../../../words/language';
import { useTexts, useWords } from '../../../words/words-provider';
import styles from '../account.module.css';
import { useUnverified } from '../use-unverified';

/** The appearance and behaviour of the dashboard in this browser, and the language of the mails. */
export function LooksCard() {
  const { words, language, changeLanguage } = useTexts();
  const { looks } = words.account;
  const { themes, languages } = words.frame;
  return (
    <>
      <Card title={looks.title}>
        <RadioGroup
          inline
          name="theme"
          label={looks.theme}
          value={useTheme()}
          onValue={(theme) => keepTheme(theme as Theme)}
          options={THEMES.map((value) => ({ value, label: themes[value] }))}
        />
        <RadioGroup
          inline
          name="language"
          label={looks.language}
          value={language}
          onValue={(value) => void changeLanguage(value as LanguageCode)}
          options={LANGUAGES.map((value) => ({ value, label: languages[value] }))}
        />
        <MailLanguage />
      </Card>
      <KeysCard />
    </>
  );
}

function MailLanguage() {
  const words = useWords();
  const { looks } = words.account;
  const developer = useDeveloper();
  const queryClient = useQueryClient();
  const toast = useToast();
  const disabledReason = useUnverified();
  const saving = useMutation({
    mutationFn: (language: LanguageCode) => updateProfile({ language }),
    onSuccess: () => toast(looks.mailsSaved, { tone: 'success' }),
    onError: ({ message }) => toast(message, { tone: 'problem' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <RadioGroup
      inline
      name="mails"
      label={looks.mails}
      value={saving.isPending ? saving.variables : developer.language}
      onValue={(value) => saving.mutate(value as LanguageCode)}
      options={LANGUAGES.map((value) => ({
        value,
        label: words.frame.languages[value],
        ...(disabledReason !== undefined && { disabledReason }),
      }))}
    />
  );
}

function KeysCard() {
  const { keys } = useWords().account;
  const [isOn, setIsOn] = useState(areSingleKeysOn);
  return (
    <Card title={keys.title} className={styles.keys}>
      <Switch
        label={keys.single}
        hint={keys.hint}
        checked={isOn}
        onChange={({ target }) => {
          keepSingleKeys(target.checked);
          setIsOn(target.checked);
        }}
      />
    </Card>
  );
}
