// Starts the slowest test files first, so that no worker waits for the last one. Jest knows durations only of files that it has run
// before in the same checkout; the others have the durations of this table, in seconds, or one second.
const { default: Sequencer } = require('@jest/test-sequencer');

const SECONDS = {
  'uploads/upload-crash': 300,
  'uploads/resumable-crash': 200,
  'requests/fuzz': 100,
  'uploads/byosa-flip': 100,
  'requests/idempotent-routes': 90,
  'requests/clashes': 80,
  'uploads/resumable-uploads': 80,
  'stores/s3-blob-store': 75,
  'requests/idempotency': 70,
  'database/backup': 70,
  'accounts/account-data': 60,
  'stores/cloud-storage': 60,
  'requests/audit-events': 55,
  'processes/lifecycle': 40,
  'database/database-roles': 40,
  'stores/azure-blob-store': 40,
  'requests/hostile-connections': 35,
  'stores/byosa-isolation': 35,
  'stores/byosa': 30,
  'catalogue/builds': 25,
  'tenants/access-matrix': 25,
  'billing/top-ups': 25,
  'requests/csrf': 25,
  'testers-install/tester-links': 20,
  'stores/byosa-troubles': 20,
  'database/embedded-postgres': 20,
  'setup/login': 22,
  'tenants/tenants': 20,
  'errors/headers': 20,
  'uploads/waiting': 15,
  'uploads/upload': 15,
  'uploads/interruptions': 14,
  'jobs/releases': 15,
  'jobs/jobs': 15,
  'errors/cursors': 15,
  'e2e/journey': 15,
  'processes/operators': 25,
  'processes/tracing': 25,
};

module.exports = class SlowestFirst extends Sequencer {
  time(test) {
    const [, name] = /([^/]+\/[^/]+)\.spec\.ts$/.exec(test.path) ?? [];
    return super.time(test) ?? (SECONDS[name] ?? 1) * 1_000;
  }
};
