import { type ReactNode, useId } from 'react';
import { Stack } from '../ui';

/** Cards of the settings that belong together, under their heading. */
export function SettingsGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Stack gap={12}>
        <h2 id={id}>{title}</h2>
        {children}
      </Stack>
    </section>
  );
}
