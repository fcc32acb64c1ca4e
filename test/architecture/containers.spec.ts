import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { CONFIG_CLASSES } from '#infra/config/config';
import { transportProblems } from '#infra/config/problems/production-problems';
import { variablesOf } from '#infra/config/variable';

const root = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
/** Compose uses the merge keys (`<<`) of YAML 1.1. */
const parse = <T>(file: string): T => load(read(file), { schema: YAML11_SCHEMA }) as T;

interface Service {
  readonly image: string;
  readonly build?: object;
  readonly pull_policy?: string;
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: readonly string[] | Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly ipam?: { readonly config: readonly { subnet: string }[] } }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
}

const CHART = 'docker/helm/agate';
const variables = new Set(CONFIG_CLASSES.flatMap((topic) => variablesOf(topic)).map(({ name }) => name));
const unknown = (names: Iterable<string>): string[] => [...names].filter((name) => !variables.has(name));
const compose = parse<Compose>('docker/compose.yaml');
const services = Object.entries(compose.services);
const agateServices = services.filter(([, { image }]) => image.startsWith('agate:'));
const dockerfile = read('docker/Dockerfile');
const { version, engines } = JSON.parse(read('package.json')) as { version: string; engines: { node: string } };

describe('the Dockerfile', () => {
  // red when: FROM node:18.20.0-bookworm-slim
  it('uses one supported version of Node.js in all stages', () => {
    const versions = new Set(
      [...dockerfile.matchAll(/^FROM node:(\d+\.\d+\.\d+)-[\w.-]+@sha256:[0-9a-f]{64} AS/gm)].map(([, found]) => found),
    );
    expect(versions.size).toBe(1);
    expect(dockerfile.match(/^FROM node:.+@sha256:/gm)).toHaveLength(dockerfile.match(/^FROM /gm)!.length);
    const numbers = (text: string): number[] => text.replace('>=', '').split('.').map(Number);
    const [image, least] = [numbers([...versions][0] ?? ''), numbers(engines.node)];
    const first = image.findIndex((part, index) => part !== least[index]);
    expect(first === -1 || (image[first] ?? 0) > (least[first] ?? 0)).toBe(true);
  });

  // red when: CMD ["node", "dist/main.js"], or src/main.ts moves
  it('starts an entry point that exists', () => {
    const [, entry] = /^CMD \["node", "dist\/(.+)\.js"\]$/m.exec(dockerfile) ?? [];
    expect(existsSync(path.join(root, `${entry}.ts`))).toBe(true);
  });

  // red when: COPY names a file that does not exist, or that .dockerignore excludes
  it('copies only files that exist and are not ignored', () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, names]) => names?.split(' ') ?? [],
    );
    const admitted =
      read('.dockerignore')
        .match(/^!(.+)$/gm)
        ?.map((line) => line.slice(1)) ?? [];
    expect(sources.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
    const isAdmitted = (name: string): boolean => admitted.some((each) => name === each || name.startsWith(`${each}/`));
    expect(sources.filter((name) => !isAdmitted(name))).toEqual([]);
  });

  // red when: a package is added without its line before npm ci, which then fails because it differs from package-lock.json
  it('gives npm the manifest of every package', () => {
    const stages = dockerfile.split(/^FROM /m).filter((stage) => stage.includes('npm ci'));
    for (const stage of stages) {
      const before = stage.slice(0, stage.indexOf('npm ci'));
      const copied = [...before.matchAll(/^COPY (packages\/[a-z-]+)\/package\.json /gm)].map(([, folder]) => folder);
      const packages = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`);
      expect(copied).toEqual(packages.filter((name) => existsSync(path.join(root, name, 'package.json'))));
    }
    expect(stages).toHaveLength(2);
  });

  it('sets only known variables, and does not run as root', () => {
    const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile) ?? [];
    expect(unknown([...block.matchAll(/(\w+)=/g)].map(([, name = '']) => name))).toEqual([]);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toContain(`image.version="${version}"`);
  });
});

describe('compose.yaml', () => {
  it('runs two API processes and a worker of this version', () => {
    const roles = agateServices.map(([, { environment }]) => environment?.ROLE).filter((role) => role !== undefined);
    expect(roles.sort()).toEqual(['api', 'api', 'worker']);
    expect(new Set(agateServices.map(([, { image }]) => image))).toEqual(new Set([`agate:${version}`]));
  });

  // red when: a second service has `build` (each would build its own image under one name), or a service may pull agate from
  // a registry
  it('builds the image once and never pulls it', () => {
    const ways = agateServices.map(([, { build, pull_policy: policy }]) => (build ? `build: ${policy}` : policy));
    expect(ways.sort()).toEqual(['build: build', ...agateServices.slice(1).map(() => 'never')]);
  });

  // red when: REDIS_URI instead of REDIS_URL
  it('sets only known variables', () => {
    expect(unknown(agateServices.flatMap(([, { environment }]) => Object.keys(environment ?? {})))).toEqual([]);
  });

  // red when: DATABASE_OWNER_URL is in x-environment
  it('gives the credentials of the schema owner only to the migration', () => {
    const [owners, others] = [true, false].map((knows) =>
      agateServices.filter(([, { environment }]) => 'DATABASE_OWNER_URL' in (environment ?? {}) === knows),
    );
    expect(owners?.map(([name, { command }]) => [name, command])).toEqual([
      ['migrate', ['node', 'dist/src/main.js', '--migrate-only']],
    ]);
    expect(read('src/app/start/program.ts')).toContain("'--migrate-only'");
    expect(new Set(others?.map(([, { environment }]) => environment?.MIGRATE_ON_START))).toEqual(new Set(['false']));
    const role = /^ALTER ROLE (\w+)/m.exec(read('docker/create-role.sh'))?.[1];
    expect(compose.services.migrate?.environment?.DATABASE_URL).toContain(`//${role}:`);
  });

  // red when: image: postgres:latest
  it('pins a version of every image', () => {
    const images = services.map(([, { image }]) => image);
    expect(images.filter((image) => !/:v?\d+\.\d+(\.\d+)?[\w.-]*(@sha256:[0-9a-f]{64})?$/.test(image))).toEqual([]);
  });

  // red when: image: postgres:17.11-bookworm, whose content a registry can replace
  it.each(['postgres', 'redis', 'proxy'])('pins the content of the image of %s', (name) => {
    expect(compose.services[name]?.image).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  // red when: REDIS_URL has no password, or a database URL no sslmode: production would not start
  it('accepts connections without TLS explicitly, and gives the cache a password', () => {
    for (const [, { environment = {} }] of agateServices) {
      const fill = (text: string | undefined): string | undefined => text?.replace(/\$\{\w+[^}]*\}/g, 'filled');
      const { DATABASE_URL, DATABASE_OWNER_URL, REDIS_URL } = environment;
      const databaseUrls = { DATABASE_URL: fill(DATABASE_URL), DATABASE_OWNER_URL: fill(DATABASE_OWNER_URL) };
      expect(transportProblems({ databaseUrls, redisUrl: fill(REDIS_URL) })).toEqual([]);
    }
    const { command = [], environment } = compose.services['redis']!;
    const password = command[command.indexOf('--requirepass') + 1];
    expect(password).toBe('${REDIS_PASSWORD:?run make-secrets.sh first}');
    expect(environment).toEqual({ REDISCLI_AUTH: password });
    expect(read('docker/make-secrets.sh')).toContain('s|^REDIS_PASSWORD=');
  });

  it('defines every network, volume, secret and file that it uses', () => {
    for (const [, { networks, volumes = [], secrets = [] }] of services) {
      const names = Array.isArray(networks) ? networks : Object.keys(networks);
      expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(names));
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining([...secrets]));
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        expect(
          source.startsWith('./') ? existsSync(path.join(root, 'docker', source)) : source in compose.volumes,
        ).toBe(true);
      }
    }
    for (const [, { command }] of agateServices) {
      const script = command?.find((word) => word.endsWith('.mjs'));
      expect(script === undefined || existsSync(path.join(root, script))).toBe(true);
    }
  });

  it('trusts the network of its proxy', () => {
    const subnets = compose.networks.front?.ipam?.config.map(({ subnet }) => subnet);
    expect(subnets).toEqual([compose.services['api-1']?.environment?.TRUST_PROXY]);
  });

  // red when: the engine kills a process before its shutdown limit, or the proxy notices the drain too late
  it('grants enough time for a shutdown', () => {
    const [drainMs, limitMs] = [5_000, 30_000];
    const seconds = (text: string | undefined): number => Number.parseInt(text ?? '0', 10);
    const served = agateServices.filter(([, { environment }]) => environment?.ROLE !== undefined);
    const grace = served.map(([, service]) => seconds(service.stop_grace_period));
    expect(Math.min(...grace) * 1000).toBeGreaterThan(drainMs + limitMs);
    const [, interval] = /health_interval (\d+s)/.exec(read('docker/Caddyfile')) ?? [];
    expect(2 * seconds(interval) * 1000).toBeLessThan(drainMs);
    for (const [name, described] of [
      ['SHUTDOWN_DRAIN_MS', `${drainMs} in production`],
      ['SHUTDOWN_LIMIT_MS', `\`${limitMs}\``],
    ] as const)
      expect(read('docs/generated/configuration.md')).toMatch(new RegExp(`${name}.*${described}`));
  });

  // red when: a ${NAME} is used that make-secrets.sh does not set
  it('takes only variables from the environment that .env.example lists', () => {
    const used = new Set([...read('docker/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const given = new Set([...read('docker/.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name));
    expect([...used].sort()).toEqual([...given].sort());
  });

  // red when: the Caddyfile has api:3000, or another port than the Dockerfile
  it('has a proxy whose upstreams are its services', () => {
    const upstreams = [...read('docker/Caddyfile').matchAll(/([\w-]+):(\d+)\b/g)].map(([, name, port]) => [name, port]);
    const port = /PORT=(\d+)/.exec(dockerfile)?.[1];
    expect(upstreams).toEqual([
      ['api-1', port],
      ['api-2', port],
      ['store', '8333'],
    ]);
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(upstreams.map(([name]) => name)));
  });
});

describe('the Helm chart', () => {
  const templates = readdirSync(path.join(root, CHART, 'templates')).map((name) => read(`${CHART}/templates/${name}`));
  const values = parse<Record<string, unknown> & { config: Record<string, string> }>(`${CHART}/values.yaml`);

  // red when: config has S3_BUCKETT
  it('sets only known variables', () => {
    const fixed = [...read(`${CHART}/templates/configmap.yaml`).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)];
    expect(unknown([...Object.keys(values.config), ...fixed.map(([, name = '']) => name)])).toEqual([]);
    const words = read(`${CHART}/values.yaml`).match(/\b[A-Z0-9]+_[A-Z0-9_]+\b/g) ?? [];
    expect(unknown(new Set(words))).toEqual([]);
  });

  // red when: networkPolicy.enabled is false, or a policy restricts incoming traffic only
  it('restricts incoming and outgoing traffic by default', () => {
    expect(values).toMatchObject({
      networkPolicy: { enabled: true, egressPorts: expect.arrayContaining([443]) as number[] },
    });
    const policy = read(`${CHART}/templates/network-policy.yaml`);
    expect(policy).toContain('policyTypes: ["Ingress", "Egress"]');
    expect(policy).toContain('169.254.0.0/16');
  });

  it('has the version of the package', () => {
    expect(parse<object>(`${CHART}/Chart.yaml`)).toMatchObject({ version, appVersion: version });
  });

  // red when: a template uses .Values.api.replicaCount
  it('has a documented value for everything that its templates use', () => {
    const asked = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, name = '']) => name));
    const has = (name: string): boolean =>
      name.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values) !==
      undefined;
    expect([...new Set(asked)].filter((name) => !has(name))).toEqual([]);
  });

  // red when: drainMs or the preStop hook grows but not the grace period
  it('grants enough time for a shutdown', () => {
    const { drainMs, terminationGracePeriodSeconds } = values as unknown as Record<string, number>;
    const [, hookMs] = /preStop:[^]*?setTimeout\(\(\) => \{\}, (\d+)\)/.exec(templates.join('\n')) ?? [];
    expect(terminationGracePeriodSeconds! * 1000).toBeGreaterThan(Number(hookMs) + drainMs! + 30_000);
  });

  it('starts the same command as the image, and probes routes that exist', () => {
    const text = templates.join('\n');
    expect(text).toContain('command: ["node", "dist/src/main.js"]');
    expect(existsSync(path.join(root, 'src/main.ts')) && existsSync(path.join(root, 'src/cli.ts'))).toBe(true);
    const paths = Object.keys((JSON.parse(read('docs/generated/openapi.json')) as { paths: object }).paths);
    const probed = [...text.matchAll(/path: (\/api\S+)/g)].map(([, found]) => found);
    expect(paths).toEqual(expect.arrayContaining(probed));
    expect(new Set(probed)).toEqual(new Set(['/api/v1/live', '/api/v1/ready']));
  });
});
