/** The commands of a page. All of its blocks that run do so in one shell, from the top to the bottom. */
export interface DocumentedCommands {
  /** The number of blocks that run. A new block fails the test until it is counted here or excepted below. */
  readonly runs: number;
  /** A text of each block that does not run, and the reason or the test that runs it. */
  readonly others?: Readonly<Record<string, string>>;
  /** Texts of examples, and what stands for them in the test. */
  readonly replaced?: readonly (readonly [string | RegExp, string])[];
}

const DOCKER = 'needs Docker';
const SERVICE = 'starts the service and does not end: npm run smoke, test/endurance/processes';
const SETUP = 'asks in a terminal: test/endurance/processes/setup';

const BACKUPS = ['/backups/', '$PWD/backups/'] as const;
const RESTORED =
  'mkdir restored && cp -r $DATA_DIR/keys restored && DATABASE_URL=$RESTORED_DATABASE_URL DATABASE_OWNER_URL= DATA_DIR=$PWD/restored';

/** Every page with commands, by its path. */
export const PAGES: Readonly<Record<string, DocumentedCommands>> = {
  'README.md': {
    runs: 1,
    others: { 'npm run quickstart': SERVICE, 'operator -- setup': SETUP, 'docker compose': DOCKER },
  },
  'CONTRIBUTING.md': {
    runs: 0,
    others: {
      '.ci/run': 'the steps of .ci/run, of which this test is one',
      'npm version': 'makes a release',
      'git worktree': 'needs a clone with tags, and takes an hour',
    },
  },
  'docker/README.md': { runs: 0, others: { 'docker compose': DOCKER, kubectl: 'needs Kubernetes' } },
  'docs/api.md': { runs: 31, replaced: [['http://localhost:3000', '$AGATE_URL']] },
  'docs/backup-and-upgrade.md': { runs: 1, replaced: [BACKUPS] },
  'docs/cdn.md': {
    runs: 0,
    others: {
      'DOWNLOAD_CDN=cloudfront': 'needs CloudFront: src/infra/blob/cdn',
      'DOWNLOAD_CDN=cloudflare': 'needs Cloudflare: src/infra/blob/cdn',
      'DOWNLOAD_CDN=frontdoor': 'needs Azure: test/endurance/stores/front-door',
      'disposition={content_disposition}': 'test/endurance/processes/setup',
      '{md5}': 'needs nginx: test/nginx',
    },
  },
  'docs/ci/README.md': { runs: 3 },
  'docs/ci/gradle.md': { runs: 0, others: { gradlew: 'needs Gradle and an Android project' } },
  'docs/ci/others.md': { runs: 3 },
  'docs/ci/xcode-cloud.md': { runs: 1 },
  'docs/cli.md': {
    runs: 9,
    others: {
      'agate init': 'asks for the password: test/endurance/cli/setup/init',
      BUNDLETOOL: 'needs bundletool: test/endurance/cli/uploads/universal-apk',
      HTTPS_PROXY: 'needs a proxy: test/endurance/cli/setup/proxies',
      '--with Demo': 'needs files of electron-builder: test/endurance/cli/uploads/attachments',
    },
    replaced: [
      ['https://agate.example.com', '$AGATE_URL'],
      ['channels create Beta', 'channels create Nightly'],
      ['update-keys create android', 'update-keys create ios'],
      ['agate import folder', 'AGATE_TOKEN=$PAT agate import folder'],
    ],
  },
  'docs/logging-in.md': {
    runs: 0,
    others: {
      'agate login': 'is confirmed in a browser: test/endurance/cli/setup/login',
      'agate token': 'asks for the password: test/endurance/cli/manage',
    },
  },
  'docs/migrating.md': {
    runs: 4,
    others: { 'import zealot': 'needs a server of Zealot: test/endurance/cli/import-zealot' },
  },
  'docs/operations.md': {
    runs: 5,
    others: {
      'npm ci': SERVICE,
      'sslmode=verify-full': SERVICE,
      '--migrate-only': 'test/endurance/database/database-roles',
      STORAGE_PROVIDER: 'needs S3 and Azure: test/endurance/stores/cloud-storage',
      'aws s3 cp': 'needs S3',
      'byosa flip': "needs an organization's store: test/endurance/uploads/byosa-flip",
      'age -r': 'needs age and GnuPG with keys',
      TRUST_PROXY: SERVICE,
      METRICS_PORT: SERVICE,
      OTEL: 'test/endurance/processes/tracing',
    },
    replaced: [
      BACKUPS,
      ['npm run operator -- backup restore', `${RESTORED} npm run operator -- backup restore --yes`],
      [/account [\w-]+ ann@example.com/g, '$& --yes'],
      ['account invite ann@', 'account invite bob@'],
      ['account export <organization id, developer id or e-mail> --file ', 'account export $ORG --yes --file $PWD/'],
      ['<organization id, developer id or e-mail>', '$ORG'],
    ],
  },
  'docs/running-for-your-company.md': {
    runs: 1,
    others: { 'operator -- setup\nNODE_ENV': SETUP, 'docker compose': DOCKER, systemctl: 'needs systemd and root' },
  },
  'docs/updates.md': {
    runs: 4,
    others: { '--with Demo': 'needs files of electron-builder: test/endurance/cli/uploads/attachments' },
    replaced: [
      ['jq -r .url', 'jq -r .url > key'],
      ['https://install.example.com/updates/ag_upd_…', '$(cat key)'],
    ],
  },
  'docs/agents.md': { runs: 1 },
  'docs/webhook-receivers.md': { runs: 0, others: { 'webhooks listen': 'does not end: test/endurance/cli/webhooks' } },
  'docs/webhooks.md': { runs: 0, others: { 'receiver.mjs': 'does not end: test/webhooks' } },
};
