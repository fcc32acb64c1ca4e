import { type ComponentType, useEffect, useState } from 'react';
import { loadAreas } from '../words/load-words';
import { type Area } from '../words/words';

/**
 * A component whose file and texts are loaded when it is first rendered, and that shows nothing until then. `Suspense` would show nothing
 * as well, but after each of its placeholders React delays other pending content by up to 300 ms, so the screen would appear later.
 */
export function deferred<Props extends object>(
  loadFile: () => Promise<ComponentType<Props>>,
  areas: readonly Area[],
): ComponentType<Props> & {
  /** Loads the component before it is rendered. An error appears when the component is rendered. */
  readonly preload: () => void;
} {
  let loaded: ComponentType<Props> | undefined;
  const load = async (): Promise<ComponentType<Props>> =>
    (loaded ??= (await Promise.all([loadFile(), loadAreas(areas)]))[0]);
  function Deferred(props: Props) {
    const [Component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (Component) return;
      load().then(
        (component) => setComponent(() => component),
        (error: unknown) =>
          // Thrown while rendering, so that the screen for errors is shown.
          setComponent(() => {
            throw error;
          }),
      );
    }, [Component]);
    return Component ? <Component {...props} /> : null;
  }
  return Object.assign(Deferred, { preload: () => void load().catch(() => undefined) });
}
