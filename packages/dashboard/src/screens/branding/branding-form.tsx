import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { GuardedForm } from '../../parts/guarded-form';
import { type BrandingDraft, brandingQuery, setBranding } from '../../queries/organization/branding';
import { SubmitRow, TextField, textOf, typeInto, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { contrastOfAccent, isAccent, MIN_CONTRAST } from './accent';
import { LogoField } from './logo-field';
import { type ShownBranding } from './phone-preview';

interface BrandingFormProps {
  readonly organizationId: string;
  readonly organizationName: string;
  /** What the service has. */
  readonly branding: ShownBranding;
  /** What the form contains. */
  readonly shown: ShownBranding;
  readonly onTyped: (typed: ShownBranding | null) => void;
}

const typedIn = (values: FormData): ShownBranding => ({
  displayName: textOf(values, 'display_name'),
  logo: textOf(values, 'logo'),
  contact: textOf(values, 'contact').trim(),
  privacyUrl: textOf(values, 'privacy_url').trim(),
  accent: textOf(values, 'accent').trim(),
});

const draftOf = ({ displayName, logo, contact, privacyUrl, accent }: ShownBranding): BrandingDraft => ({
  display_name: displayName.trim() || null,
  logo: logo || null,
  contact: contact || null,
  privacy_url: privacyUrl || null,
  accent: accent || null,
});

export function BrandingForm({ organizationId, organizationName, branding, shown, onTyped }: BrandingFormProps) {
  const words = useWords().branding;
  const queryClient = useQueryClient();
  const toast = useToast();
  // A new form after each change: what was typed is then what the service has.
  const [saves, setSaves] = useState(0);
  const change = useMutation({
    mutationFn: (values: FormData) => setBranding(organizationId, draftOf(typedIn(values))),
    onSuccess: (saved) => {
      queryClient.setQueryData(brandingQuery(organizationId).queryKey, saved);
      onTyped(null);
      setSaves((count) => count + 1);
      toast(words.saved, { tone: 'success' });
    },
  });
  const typed = (event: FormEvent<HTMLFormElement>): void => onTyped(typedIn(new FormData(event.currentTarget)));
  return (
    <GuardedForm key={saves} errors={change.error} onSubmit={(values) => change.mutate(values)} onChange={typed}>
      <TextField
        label={words.displayName}
        hint={words.displayNameHint(organizationName)}
        name="display_name"
        defaultValue={branding.displayName}
        maxLength={100}
        autoComplete="organization"
      />
      <LogoField stored={branding.logo} shown={shown.logo} />
      <AccentField stored={branding.accent} shown={shown.accent} />
      <TextField
        label={words.contact}
        hint={words.contactHint}
        name="contact"
        defaultValue={branding.contact}
        maxLength={200}
        autoComplete="off"
      />
      <TextField
        label={words.privacyUrl}
        name="privacy_url"
        type="url"
        defaultValue={branding.privacyUrl}
        maxLength={1000}
        placeholder="https://"
        autoComplete="off"
      />
      <SubmitRow variant="primary" busy={change.isPending}>
        {words.save}
      </SubmitRow>
    </GuardedForm>
  );
}

/** The accent as a code, with the contrast that it has at present. */
function AccentField({ stored, shown }: { readonly stored: string; readonly shown: string }) {
  const words = useWords().branding;
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const contrast = isAccent(shown) ? contrastOfAccent(shown) : null;
  const isLow = contrast !== null && contrast < MIN_CONTRAST;
  // Rounded down, because 4.496 is not 4.5.
  const text = contrast === null ? '' : format.number(Math.floor(contrast * 10) / 10);
  const warning = isLow ? words.contrast.low(text) : '';
  useEffect(() => input.current?.setCustomValidity(warning), [warning]);
  const pick = (event: FormEvent<HTMLInputElement>): void => {
    if (input.current) typeInto(input.current, event.currentTarget.value);
  };
  return (
    <div>
      <TextField
        ref={input}
        label={words.accent}
        hint={words.accentHint}
        name="accent"
        mono
        defaultValue={stored}
        maxLength={7}
        pattern="#[0-9a-fA-F]{6}"
        title={words.accentFormat}
        placeholder="#0b5f68"
        autoComplete="off"
        spellCheck={false}
        {...(isLow && { error: warning })}
        after={
          <input
            type="color"
            aria-label={words.pick}
            value={isAccent(shown) ? shown.toLowerCase() : '#0b5f68'}
            onChange={pick}
          />
        }
      />
      <p role="status" className="soft">
        {contrast !== null && !isLow && words.contrast.enough(text)}
      </p>
    </div>
  );
}
