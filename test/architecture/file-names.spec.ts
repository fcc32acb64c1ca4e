import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const source = path.resolve(__dirname, '../../src');

const CLASS = /^export (?:abstract )?class (\w+?)(Service|Controller|Repository)\b/gm;

/** `AuditFeedService` stands in `audit-feed.service.ts`. */
const fileOf = (name: string, kind: string): string =>
  `${name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()}.${kind.toLowerCase()}.ts`;

describe('services, controllers and repositories', () => {
  // red when: a service is moved below another one
  it('stand in the file of their name', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    const misplaced = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .flatMap((file) =>
        [...readFileSync(path.join(source, file), 'utf8').matchAll(CLASS)].flatMap(([, name = '', kind = '']) =>
          path.basename(file) === fileOf(name, kind) ? [] : [`${name}${kind}`],
        ),
      );
    expect(misplaced).toEqual([]);
  });
});
