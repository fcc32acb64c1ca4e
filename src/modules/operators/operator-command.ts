import { type RequestContext } from '#kernel/context/request-context';

/** Something typed after a command's name. */
export interface OperatorArgument {
  /** snake_case, as everywhere outside: `organization_id`. */
  readonly name: string;
  readonly describe: string;
}

/** What was typed, by name; an option that was left out is absent, a flag is `'true'`. */
export type OperatorInput = Readonly<Record<string, string | undefined>>;

/** What a command answers: printed as a table, a list of fields, or JSON. */
export type OperatorAnswer = object | readonly object[];

/** Tells how far long work, or a named part of it, has come; `total` is absent while it is not known. */
export type ReportProgress = (done: number, total?: number, part?: string) => void;

/** One thing that an operator can have done (contract §16). */
export interface OperatorCommand {
  /** As it is typed: one or two words, `jobs retry`. */
  readonly name: string;
  /** One sentence, imperative, without full stop. */
  readonly summary: string;
  /** Required, in this order. */
  readonly parameters?: readonly OperatorArgument[];
  /** `--name <value>`, or `--name` alone for a flag. */
  readonly options?: readonly (OperatorArgument & { readonly flag?: true })[];
  /**
   * Says in one sentence what will change; the operator is asked about it, and `--dry-run` shows it and ends. It throws when
   * the change cannot be made. Absent: the command only looks.
   */
  readonly effect?: (ctx: RequestContext, input: OperatorInput) => Promise<string> | string;
  readonly run: (ctx: RequestContext, input: OperatorInput, report: ReportProgress) => Promise<OperatorAnswer>;
  /** It works also where the database has no schema yet, or an old one. */
  readonly onAnySchema?: true;
  /** Whether it writes to standard output itself, so that the answer goes to standard error. */
  readonly takesOutput?: (input: OperatorInput) => boolean;
  /** For checks: whether the answer tells of something wrong, which is exit status 1. */
  readonly finds?: (answer: OperatorAnswer) => boolean;
}

/** The commands of one subject. */
export interface OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];
}
