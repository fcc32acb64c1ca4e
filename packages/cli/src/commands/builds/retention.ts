import {
  type DeletionPreviewResponse,
  type RetentionGroup,
  type RetentionResponse,
  type RetentionRuleRequest,
} from '@agate/client';
import { Command, Option } from 'commander';
import { describePreview, figuresOf, keptText } from '../../builds/deletion-preview';
import { describeRetention } from '../../builds/describe-retention';
import { type Context } from '../../context';
import { severalValues, wholeNumber } from '../../option-values';
import { usageError } from '../../output/cli-error';
import { idsOf } from '../../settings/scope';
import { confirm } from '../../terminal/questions';

export const retentionCommand = (context: Context): Command => {
  const command = new Command('retention').description('show, preview and set the rules that delete old builds');
  for (const create of [showRetentionCommand, previewRetentionCommand, setRetentionCommand])
    command.addCommand(create(context));
  return command;
};

const GROUPS: readonly RetentionGroup[] = ['project', 'platform', 'branch'];
const MAX_KEPT = 100_000;
const MAX_DAYS = 3_650;

interface RuleOptions {
  readonly keepLast?: number;
  readonly keepDays?: number;
  readonly per?: RetentionGroup;
  readonly branches?: readonly string[];
}

const withRuleOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--keep-last <number>', 'keep this number of the newest builds').argParser(wholeNumber(1, MAX_KEPT)),
    )
    .addOption(new Option('--keep-days <days>', 'keep builds up to this age').argParser(wholeNumber(1, MAX_DAYS)))
    .addOption(new Option('--per <group>', 'what --keep-last counts in; default: project').choices(GROUPS))
    .addOption(new Option('--branches <patterns>', 'the rule is about these only: feature/*').argParser(severalValues));

/** The rule that the options name, as a list. Undefined without any. @throws CliError for a rule that keeps nothing. */
export function rulesOf({ keepLast, keepDays, per, branches }: RuleOptions): RetentionRuleRequest[] | undefined {
  if ([keepLast, keepDays, per, branches].every((value) => value === undefined)) return undefined;
  if (keepLast === undefined && keepDays === undefined)
    throw usageError('The rule keeps nothing. Add --keep-last or --keep-days.');
  if (branches?.length === 0) throw usageError('--branches names no branch.');
  return [{ keep_last: keepLast, keep_days: keepDays, per, branches }];
}

async function projectOf(context: Context) {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const { organization_id, project_id } = await idsOf(client, scope);
  return { client, path: { project_id }, query: { organization_id } };
}

const showRetentionCommand = (context: Context): Command =>
  new Command('show').description('show the rules of the project').action(async () => {
    const { client, path, query } = await projectOf(context);
    const retention = await client.request('GET /projects/{project_id}/retention', { path, query });
    context.output.print(retention, describeRetention(retention));
  });

const previewRetentionCommand = (context: Context): Command =>
  withRuleOptions(new Command('preview'))
    .description('show the builds that a rule would delete now; without options the rules of the project')
    .action(async (options: RuleOptions) => {
      const rules = rulesOf(options);
      const { client, path, query } = await projectOf(context);
      const request = { path, query, body: { rules } };
      const preview = await client.request('POST /projects/{project_id}/retention/preview', request);
      context.output.print(preview, describePreview(preview));
    });

interface SetOptions extends RuleOptions {
  readonly off?: boolean;
  readonly yes?: boolean;
}

const setRetentionCommand = (context: Context): Command =>
  withRuleOptions(new Command('set'))
    .description('replace the rules of the project by one, or switch its rules on, after a preview')
    .addOption(
      new Option('--off', 'switch the rules off; they stay').conflicts(['keepLast', 'keepDays', 'per', 'branches']),
    )
    .option('--yes', 'do not ask')
    .action(async ({ off = false, yes = false, ...options }: SetOptions) => {
      const rules = rulesOf(options);
      const { client, path, query } = await projectOf(context);
      const set = (body: { readonly enabled: boolean; readonly fingerprint?: string }) =>
        client.request('PUT /projects/{project_id}/retention', { path, query, body: { ...body, rules } });
      if (off) return print(context, await set({ enabled: false }));
      const before = await client.request('GET /projects/{project_id}/retention', { path, query });
      if (rules === undefined && before.rules.length === 0)
        throw usageError('The project has no rules. Name one with --keep-last or --keep-days.');
      const request = { path, query, body: { rules } };
      const preview = await client.request('POST /projects/{project_id}/retention/preview', request);
      const effect = effectOf(preview, rules === undefined ? 0 : before.rules.length);
      if (yes) context.output.say(effect);
      await confirm(context, effect, yes);
      print(context, await set({ enabled: true, fingerprint: preview.fingerprint }));
    });

const print = (context: Context, retention: RetentionResponse): void =>
  context.output.print(retention, describeRetention(retention));

/** @param replaced the number of rules that the project has, and loses. */
function effectOf(preview: DeletionPreviewResponse, replaced: number): string {
  return [
    preview.builds === 0
      ? 'These rules delete no build now.'
      : `These rules delete ${figuresOf(preview)}, seven days after an announcement.`,
    keptText(preview),
    replaced === 0 ? '' : `They replace ${replaced === 1 ? 'the rule' : `the ${replaced} rules`} of the project.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
