import { useEffect, useRef, useState } from 'react';
import { deferred } from '../../parts/deferred';
import { useToast } from '../../ui';
import { useUploads } from '../../uploads/use-uploads';
import { useGoTo } from '../navigation/use-go-to';
import { onOpenPalette } from '../palette/palette-state';
import { listenToShortcuts, type ShortcutActs } from './shortcuts';

const FramePalette = deferred(async () => (await import('../palette/palette')).FramePalette, ['palette', 'builds']);
const ShortcutsDialog = deferred(async () => (await import('./shortcuts-dialog')).ShortcutsDialog, ['palette']);

/** The palette, the keys of every screen and the dialog that lists them. */
export function Commands() {
  const [shown, setShown] = useState<'palette' | 'help' | null>(null);
  const { choose, disabledReason } = useUploads();
  const goTo = useGoTo();
  const toast = useToast();
  const upload = (): void => {
    if (disabledReason === undefined) choose();
    else toast(disabledReason, { tone: 'problem' });
  };
  const openPalette = (): void => setShown('palette');
  const openHelp = (): void => setShown('help');
  const acts = useRef<ShortcutActs | null>(null);
  useEffect(() => {
    acts.current = { openPalette, openHelp, upload, goTo };
  });
  // Loaded before a key is pressed, but after the screen.
  useEffect(() => whenIdle(FramePalette.preload), []);
  useEffect(() => onOpenPalette(openPalette), []);
  useEffect(
    () =>
      listenToShortcuts({
        openPalette,
        openHelp,
        upload: () => acts.current?.upload(),
        goTo: (screen) => acts.current?.goTo(screen),
      }),
    [],
  );
  const close = (): void => setShown(null);
  return (
    <>
      {shown === 'palette' && <FramePalette onClose={close} onUpload={upload} onHelp={openHelp} />}
      {shown === 'help' && <ShortcutsDialog onClose={close} />}
    </>
  );
}

/** Calls the function when the browser is idle. Safari does not report that: there it is called after a second. */
function whenIdle(call: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(call, { timeout: 2_000 });
  else setTimeout(call, 1_000);
}
