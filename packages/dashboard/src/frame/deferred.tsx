import { type ComponentType, useEffect, useState } from 'react';

/**
 * A component whose file is loaded when it is first rendered, and that shows nothing until then. `Suspense` would show nothing as well,
 * but after each of its placeholders React delays what else was waited for by up to 300 ms, so the screen would appear later.
 */
export function deferred<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Deferred(props: Props) {
    const [Component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (Component) return;
      load().then(
        (component) => setComponent(() => (loaded = component)),
        (error: unknown) =>
          // Thrown while rendering, so that the screen for errors is shown.
          setComponent(() => {
            throw error;
          }),
      );
    }, [Component]);
    return Component ? <Component {...props} /> : null;
  };
}
