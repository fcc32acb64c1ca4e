// Starts the slowest test files first, so that no worker waits for the last one. Jest knows durations only of files that it has run
// before in the same checkout; the others have the durations of this table, in seconds, or one second.
const { default: Sequencer } = require('@jest/test-sequencer');

const SECONDS = {
  'uploads/resumable-crash': 75,
  'requests/idempotency': 75,
  'requests/fuzz': 75,
  'uploads/upload-crash': 70,
  'uploads/byosa-flip': 60,
  'database/database-restarts': 50,
  'database/backup': 48,
  'uploads/resumable-uploads': 35,
  'database/silent-database': 35,
  'processes/lifecycle': 35,
  'accounts/release-mails': 35,
  'stores/cloud-storage': 35,
  'accounts/account-data': 32,
  'requests/audit-events': 30,
  'requests/hostile-connections': 30,
  'requests/idempotent-routes': 30,
  'uploads/silent-store': 28,
  'database/database-roles': 25,
  'billing/billing-races': 25,
  'requests/input-cost': 25,
  'processes/rolling-restart': 25,
  'setup/login': 25,
  'requests/clashes': 24,
  'stores/azure-blob-store': 24,
  'stores/byosa': 20,
  'database/backup-versions': 20,
  'tenants/access-matrix': 16,
  'stores/s3-blob-store': 15,
  'processes/setup': 15,
  'requests/login-flood': 15,
  'database/outage': 15,
  'cli/cloud-stores': 15,
  'stores/byosa-isolation': 15,
  'processes/tracing': 15,
  'cli/interrupted-uploads': 15,
  'observability/event-streams': 14,
  'jobs/jobs': 13,
  'stores/byosa-troubles': 12,
  'database/embedded-postgres': 12,
  'processes/operators': 10,
  'errors/headers': 9,
  'observability/audit': 9,
  'billing/top-ups': 8,
  'testers-install/tester-links': 8,
  'openapi/openapi-promise': 8,
};

module.exports = class SlowestFirst extends Sequencer {
  time(test) {
    const [, name] = /([^/]+\/[^/]+)\.spec\.ts$/.exec(test.path) ?? [];
    return super.time(test) ?? (SECONDS[name] ?? 1) * 1_000;
  }
};
