// Starts the slowest test files first, so that no worker waits for the last one. Jest knows durations only of files that it has run
// before in the same checkout; the others have the durations of this table, in seconds, or one second.
const { default: Sequencer } = require('@jest/test-sequencer');

const SECONDS = {
  'uploads/upload-crash': 135,
  'uploads/byosa-flip': 100,
  'uploads/silent-store': 95,
  'uploads/resumable-crash': 85,
  'database/backup': 85,
  'requests/idempotency': 75,
  'requests/fuzz': 75,
  'accounts/account-data': 60,
  'database/database-restarts': 55,
  'requests/clashes': 45,
  'stores/azure-blob-store': 40,
  'uploads/resumable-uploads': 40,
  'stores/s3-blob-store': 40,
  'database/silent-database': 35,
  'requests/audit-events': 35,
  'processes/lifecycle': 35,
  'accounts/release-mails': 35,
  'stores/cloud-storage': 35,
  'requests/hostile-connections': 30,
  'requests/idempotent-routes': 30,
  'database/database-roles': 25,
  'billing/billing-races': 25,
  'requests/input-cost': 25,
  'processes/rolling-restart': 25,
  'setup/login': 25,
  'processes/setup': 25,
  'processes/operators': 20,
  'stores/byosa': 20,
  'database/backup-versions': 20,
  'tenants/access-matrix': 16,
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
