import { type ControllerDocs } from '#infra/http/describe';

export const HEALTH_DOCS = {
  live: {
    description:
      'Use it as the liveness probe: restart the process when it does not respond. It checks no dependency, so that an unavailable database does not restart all processes.',
    response: { status: 'ok' },
  },
  ready:
    'Use it as the readiness probe of a load balancer. It checks the database, the migrations, the storage and the queue. While one fails, and during a graceful stop, it is `503`, with `status` and `checks` beside the fields of an error. The result is reused for half a second.',
} satisfies ControllerDocs;
