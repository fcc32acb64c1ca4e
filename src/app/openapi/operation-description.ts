import { type DeclaredRoute } from '../routes';

const READ_ONLY = 'It changes nothing, so it can be repeated at any time.';
const WITH_KEY =
  'Send an `Idempotency-Key`. After a timeout, a `429` or a `503`, repeat the request with the same key: the change is made once, and the response is that of the first success.';

/** Returns the description of an operation: its own text, then what may be retried. Undefined when it has no text. */
export function describeOperation(route: DeclaredRoute): string | undefined {
  if (!route.docs) return undefined;
  const retry = route.docs.retry ?? impliedRetry(route);
  return [route.docs.description, ...(retry ? [`**Retry:** ${retry}`] : [])].join('\n\n');
}

/** What may be retried, as far as it follows from the declarations of the route. */
function impliedRetry({ method, idempotent }: DeclaredRoute): string | undefined {
  if (idempotent) return WITH_KEY;
  return ['GET', 'HEAD'].includes(method) ? READ_ONLY : undefined;
}
