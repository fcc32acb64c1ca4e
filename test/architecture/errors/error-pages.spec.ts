import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ERROR_CATALOGUE, type ErrorCode } from '#kernel/errors/catalogue';
import { ERROR_GUIDE } from '../../../scripts/reference/error-guide';
import { ERROR_REASONS } from '../../../scripts/reference/error-reasons';
import { INSPECTION_ERRORS } from '../../../src/infra/artifact-inspection/inspection-errors';
import { undocumentedDetails } from '../../support/checks/routes/documented-errors';
import { type Envelope } from '../../support/checks/routes/route-requests';

const root = path.resolve(__dirname, '../../..');
const pages = path.join(root, 'docs/generated/errors');
const codes = [...new Set(Object.values(ERROR_CATALOGUE).map(({ code }) => code))].sort();

/** Sources whose reasons do not appear in API responses. */
const OUTSIDE_THE_API = /src\/(modules\/operators|infra\/mail)\//;

/** The values of `details.reason` in the sources. */
async function reasonsInSources(): Promise<string[]> {
  const files = await readdir(path.join(root, 'src'), { recursive: true });
  const found = files
    .map((file) => `src/${file}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !OUTSIDE_THE_API.test(file))
    .map(async (file) => {
      const text = await readFile(path.join(root, file), 'utf8');
      const words = /(?:invalidInput\(\s*|details: \{\s*reason: )'(\w+)'/g;
      return file.includes('openapi') ? [] : [...text.matchAll(words)].map(([, word]) => word!);
    });
  return [...new Set((await Promise.all(found)).flat())];
}

describe('the error pages', () => {
  // red when: a page is missing, or the page of a removed code remains
  it('exist exactly for the codes of the catalogue', async () => {
    expect((await readdir(pages)).sort()).toEqual(codes.map((code) => `${code}.md`));
    expect(Object.keys(ERROR_GUIDE).sort()).toEqual(codes);
  });

  // red when: a section is missing, or the example belongs to another code
  it.each(codes)('explain the causes, remedies and details of %s, with an example', async (code) => {
    const text = await readFile(path.join(pages, `${code}.md`), 'utf8');
    expect(text.match(/^## .+$/gm)).toEqual(
      ['## When', '## What to do', '## Details', '## Reasons', '## Example', '## Routes'].filter(
        (heading) => heading !== '## Reasons' || ERROR_REASONS[code] !== undefined,
      ),
    );
    for (const items of [ERROR_GUIDE[code].causes, ERROR_GUIDE[code].remedies]) expect(items).not.toEqual([]);
    const examples = [...text.matchAll(/^HTTP\/1\.1 (\d+)$[^]*?\n\n(\{[^]*?\n\})\n```$/gm)];
    const entries = Object.values(ERROR_CATALOGUE).filter((entry) => entry.code === code);
    expect(examples.map(([, status]) => Number(status))).toEqual(entries.map(({ status }) => status));
    for (const [, , body] of examples) {
      const envelope = JSON.parse(body!) as Envelope;
      expect([envelope.error, undocumentedDetails(envelope)]).toEqual([code, []]);
    }
  });

  // red when: a reason is added, renamed or removed without its line in scripts/reference/error-reasons.ts
  it('list exactly the reasons in the sources', async () => {
    const inSources = [
      ...(await reasonsInSources()),
      'version_required',
      'platform_required',
      ...Object.keys(INSPECTION_ERRORS),
    ];
    const documented = Object.values(ERROR_REASONS).flatMap((reasons) => Object.keys(reasons));
    expect([...new Set(documented)].sort()).toEqual([...new Set(inSources)].sort());
  });

  it('are compared with details and reasons of an envelope', () => {
    const envelope = {
      error: 'not_found' as ErrorCode,
      message: '',
      details: { request_id: 'x', secret: 1, reason: 'y' },
    };
    expect(undocumentedDetails(envelope)).toHaveLength(2);
  });
});
