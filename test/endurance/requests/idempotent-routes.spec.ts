import { describeIdempotentRoutes } from '../../suites/idempotent-routes.suite';

describeIdempotentRoutes({ parallel: 6, rounds: 1 });
