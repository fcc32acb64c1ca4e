import { readFileSync } from 'node:fs';
import { type RequestOf, type ResponseOf } from '@agate/client';
import { Command, Option } from 'commander';
import { showPreview } from '../builds/show-preview';
import { type Context } from '../context';
import { severalValues, wholeNumber } from '../option-values';
import { usageError } from '../output/cli-error';
import { confirm } from '../terminal/questions';

type Rules = NonNullable<RequestOf<'POST /projects/{project_id}/retention/preview'>['body']['rules']>;
type Retention = ResponseOf<'GET /projects/{project_id}/retention'>;

const GROUPS = ['project', 'platform', 'branch'] as const;

interface RuleOptions {
  readonly keepLast?: number;
  readonly keepDays?: number;
  readonly per?: (typeof GROUPS)[number];
  readonly branch?: readonly string[];
  readonly rules?: string;
}

interface SetOptions extends RuleOptions {
  readonly off?: boolean;
  readonly yes?: boolean;
}

export const retentionCommand = (context: Context): Command => {
  const command = new Command('retention').description('show and set the rules by which old builds are deleted');
  for (const create of [showCommand, previewCommand, setCommand]) command.addCommand(create(context));
  return command;
};

const withRule = (command: Command): Command =>
  command
    .addOption(new Option('--keep-last <number>', 'keep this many of the newest').argParser(wholeNumber(1, 100_000)))
    .addOption(new Option('--keep-days <days>', 'keep those that are younger').argParser(wholeNumber(1, 3_650)))
    .addOption(new Option('--per <group>', 'of which --keep-last counts').choices(GROUPS))
    .addOption(new Option('--branch <patterns>', 'only builds of these branches: feature/*').argParser(severalValues))
    .option(
      '--rules <file>',
      'several rules, as JSON: [{"keep_last": 20, "per": "branch", "branches": ["feature/*"]}]',
    );

const showCommand = (context: Context): Command =>
  new Command('show').description('show the rules of the project').action(async () => {
    const { request } = await requestsOf(context);
    const retention = await request('GET /projects/{project_id}/retention');
    context.output.print(retention, sentencesOf(retention));
  });

const previewCommand = (context: Context): Command =>
  withRule(
    new Command('preview').description('show which builds the rules of the project, or other ones, delete'),
  ).action(async (options: RuleOptions) => {
    const { client, path, query } = await requestsOf(context);
    const body = { rules: rulesOf(options) };
    showPreview(context, await client.request('POST /projects/{project_id}/retention/preview', { path, query, body }));
  });

const setCommand = (context: Context): Command =>
  withRule(new Command('set').description('set the rules of the project, after a preview'))
    .option('--off', 'delete no more builds')
    .option('--yes', 'do not ask')
    .action(async (options: SetOptions) => {
      const { client, path, query } = await requestsOf(context);
      const rules = rulesOf(options);
      if (options.off) {
        const body = { rules, enabled: false };
        const off = await client.request('PUT /projects/{project_id}/retention', { path, query, body });
        return context.output.print(off, sentencesOf(off));
      }
      const preview = await client.request('POST /projects/{project_id}/retention/preview', {
        path,
        query,
        body: { rules },
      });
      const builds = preview.builds === 1 ? '1 build' : `${preview.builds} builds`;
      await confirm(context, `These rules delete ${builds} now, after a notice of seven days.`, options.yes ?? false);
      const body = { rules, enabled: true, fingerprint: preview.fingerprint };
      const set = await client.request('PUT /projects/{project_id}/retention', { path, query, body });
      context.output.print(set, sentencesOf(set));
    });

async function requestsOf(context: Context) {
  const [client, { organization_id, project_id }] = await Promise.all([context.client(), context.scope()]);
  const [path, query] = [{ project_id }, { organization_id }];
  const request = (route: 'GET /projects/{project_id}/retention') => client.request(route, { path, query });
  return { client, path, query, request };
}

/** Undefined when no option has a rule: those of the project. @throws CliError */
function rulesOf({ keepLast, keepDays, per, branch, rules }: RuleOptions): Rules | undefined {
  const isOne = [keepLast, keepDays, per, branch].some((value) => value !== undefined);
  if (isOne && rules !== undefined) throw usageError('Use --rules, or options for one rule, not both.');
  if (isOne) return [{ keep_last: keepLast, keep_days: keepDays, per, branches: branch && [...branch] }];
  return rules === undefined ? undefined : fromFile(rules);
}

function fromFile(file: string): Rules {
  try {
    const rules: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(rules)) return rules as Rules;
  } catch {
    // The same sentence for a file that cannot be read and for one without JSON.
  }
  throw usageError(`${file} is not a file with an array of rules as JSON.`);
}

function sentencesOf({ enabled, rules }: Retention): string {
  const lines = rules.map(({ keep_last: last, keep_days: days, per, branches }) => {
    const kept = [
      ...(last === null ? [] : [`the last ${last}${per === 'project' ? '' : ` of each ${per}`}`]),
      ...(days === null ? [] : [`those of the last ${days} days`]),
    ];
    return `keep ${kept.join(' and ')}${branches.length === 0 ? '' : `, of the branches ${branches.join(', ')}`}`;
  });
  return [enabled ? 'on' : 'off', ...lines].join('\n');
}
