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
  'requests/idempotency': 70,
  'database/backup': 70,
  'accounts/account-data': 60,
  'idempotency/idempotent-routes': 50,
  'storage/cloud-storage': 45,
  'builds/resumable-uploads': 45,
  'processes/lifecycle': 40,
  'database/database-roles': 40,
  'e2e/hostile-connections': 35,
  'storage/byosa-isolation': 30,
  'builds/builds': 25,
  'tenants/access-matrix': 25,
  'observability/audit-events': 25,
  'errors/fuzz': 25,
  'billing/top-ups': 25,
  'testers-install/tester-links': 20,
  'e2e/journey': 15,
  'e2e/tracing': 15,
};

module.exports = class SlowestFirst extends Sequencer {
  time(test) {
    const [, name] = /([^/]+\/[^/]+)\.spec\.ts$/.exec(test.path) ?? [];
    return super.time(test) ?? (SECONDS[name] ?? 1) * 1_000;
  }
};
