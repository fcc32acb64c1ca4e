import { type IncomingMessage } from 'node:http';
import { type Express, type Router } from 'express';

/** The internals of Express's router that this file uses. */
interface RouterWithStack {
  readonly stack: readonly { readonly route?: { readonly path: unknown } }[];
  handle: (this: RouterWithStack, request: IncomingMessage, ...rest: unknown[]) => void;
}

/**
 * Makes Express compare a request only with the routes whose paths start with the same segment, in their order, and not with all two
 * hundred. Middleware, and routes that start with a parameter or a wildcard, are compared with every request.
 * @param prefix the segments before the one by which routes differ, for example `api/v1`. Routes may start without them.
 */
export function indexRoutes(express: Express, prefix: string): void {
  const router = express.router as Router & RouterWithStack;
  const { handle } = router;
  const start = new RegExp(`^(?:/${prefix}(?=/)|(?!/${prefix}/))/[^/?#:*{(]+(?=[/?]|$)`, 'i');
  /** For example `/api/v1/builds` or `/updates`, without regard to case. */
  const startOf = (path: unknown): string | undefined =>
    typeof path === 'string' ? start.exec(path)?.[0].toLowerCase() : undefined;
  let indexed = 0;
  let parts = new Map<string, RouterWithStack>();
  let rest: RouterWithStack = router;

  const index = (): void => {
    const starts = router.stack.map(({ route }) => startOf(route?.path));
    const partOf = (wanted?: string): RouterWithStack => {
      const stack = router.stack.filter((_, at) => starts[at] === undefined || starts[at] === wanted);
      return Object.create(router, { stack: { value: stack } }) as RouterWithStack;
    };
    parts = new Map([...new Set(starts)].flatMap((each) => (each === undefined ? [] : [[each, partOf(each)]])));
    rest = partOf();
    indexed = router.stack.length;
  };

  router.handle = (request, ...others) => {
    if (indexed !== router.stack.length) index();
    const known = startOf(request.url);
    const part = known === undefined ? router : (parts.get(known) ?? rest);
    handle.call(part, request, ...others);
  };
}
