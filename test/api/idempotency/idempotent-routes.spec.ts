import { describeIdempotentRoutes } from '../../suites/idempotent-routes.suite';

// test/endurance/requests/idempotent-routes.spec.ts sends more requests.
describeIdempotentRoutes({ parallel: 2, rounds: 1 });
