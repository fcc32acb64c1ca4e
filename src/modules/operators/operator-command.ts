import { inDollars, MICRO_USD } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';

/** A parameter or option of a command. */
interface OperatorArgument {
  /** snake_case, such as `organization_id`; an option is typed as `--organization-id`. */
  readonly name: string;
  readonly describe: string;
}

/** The typed values by name. An omitted option is absent; a flag is `'true'`. */
export type OperatorInput = Readonly<Record<string, string | undefined>>;

/** The result of a command: a list is printed as a table, an object as a list of fields, or both as JSON. */
export type OperatorResult = object | readonly object[];

/** Reports progress of long work, or of a named part of it. `total` is absent while it is unknown. */
export type ReportProgress = (done: number, total?: number, part?: string) => void;

/** A command of the operator console (`npm run operator`). */
export interface OperatorCommand {
  /** One or two words, such as `jobs retry`. */
  readonly name: string;
  /** One imperative sentence without a full stop. */
  readonly summary: string;
  /** Required, in this order. */
  readonly parameters?: readonly OperatorArgument[];
  /** `--name <value>`, or `--name` alone for a flag. */
  readonly options?: readonly (OperatorArgument & { readonly flag?: true })[];
  /**
   * Describes in one sentence the effect of the command. The console asks the operator to confirm it, and `--dry-run` prints it and exits.
   * Throws when the change is not possible. Absent when the command changes nothing.
   */
  readonly effect?: (ctx: RequestContext, input: OperatorInput) => Promise<string> | string;
  readonly run: (ctx: RequestContext, input: OperatorInput, report: ReportProgress) => Promise<OperatorResult>;
  /** The command also runs on a database without a schema, or with the schema of another version. */
  readonly onAnySchema?: true;
  /** True when the command writes to standard output itself. The result is then printed to standard error. */
  readonly writesOutput?: (input: OperatorInput) => boolean;
  /** For checks: true when the result contains a fault. The exit status is then 1. */
  readonly hasFaults?: (result: OperatorResult) => boolean;
}

/** The commands of one subject. */
export interface OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];
}

/** All operator commands, in the order of the help. */
export class OperatorCommands {
  readonly all: readonly OperatorCommand[];

  constructor(groups: readonly OperatorCommandGroup[]) {
    this.all = groups.flatMap(({ commands }) => commands);
  }
}

/** A UUID in lower case. @throws AppError invalid_input for any other value. */
export function uuidOf(input: OperatorInput, name: string): string {
  const value = input[name] ?? '';
  if (isUuid(value)) return value.toLowerCase();
  throw AppError.invalidInput(name, `${name} must be a UUID.`);
}

export const organizationOf = (input: OperatorInput): string => uuidOf(input, 'organization_id');

/** Parses an amount in US dollars, such as `12.50`, without rounding. @throws AppError invalid_input */
export function microUsdOf(text: string | undefined, name: string): bigint {
  const parts = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text ?? '');
  if (!parts) throw AppError.invalidInput(name, `${name} must be an amount of US dollars, such as 12.50.`);
  const [, sign, whole = '', fraction = ''] = parts;
  const amount = BigInt(whole) * MICRO_USD + BigInt(fraction.padEnd(6, '0'));
  return sign ? -amount : amount;
}

/** Formats an amount with at least two decimals: `12.50 USD`. */
export const dollars = (microUsd: bigint): string => `${inDollars(microUsd, 6)} USD`;
