import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import {
  DeveloperErasureService,
  ExportService,
  OrganizationErasureService,
  type Subject,
  SubjectsService,
} from '#modules/account-data';
import {
  type OperatorCommand,
  type OperatorCommandGroup,
  type OperatorInput,
  type OperatorResult,
  type ReportProgress,
} from '../operator-command';

const SUBJECT = {
  name: 'organization_or_developer',
  describe: 'the id of an organization, or the id or e-mail address of a developer',
};

/** Export and erasure of all data of an organization or a developer. */
@Injectable()
export class AccountCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly subjects: SubjectsService,
    private readonly exports: ExportService,
    private readonly organizations: OrganizationErasureService,
    private readonly developers: DeveloperErasureService,
  ) {
    this.commands = [this.exportCommand(), this.eraseCommand()];
  }

  private exportCommand(): OperatorCommand {
    return {
      name: 'account export',
      summary: 'Write all data of an organization or a developer as a zip of JSON, without secrets',
      parameters: [SUBJECT],
      options: [
        {
          name: 'file',
          describe:
            'the zip file to create; without it, the zip goes to standard output and the result to standard error',
        },
        { name: 'artifacts', describe: 'include the artifacts of the builds', flag: true },
      ],
      effect: async (ctx, input) => {
        const { kind, label } = await this.subject(ctx, input);
        return `All data of the ${kind} "${label}" will be written to ${fileOf(input) ?? 'standard output'}.`;
      },
      run: (ctx, input, report) => this.export(ctx, input, report),
      writesOutput: (input) => fileOf(input) === null,
    };
  }

  private eraseCommand(): OperatorCommand {
    return {
      name: 'account erase',
      summary:
        'Erase an organization with all its data, or a developer; run it again to continue after an interruption',
      parameters: [SUBJECT],
      options: [
        { name: 'new_admin', describe: 'the member who becomes ADMIN where the developer is the only ADMIN' },
        {
          name: 'leave_own_storage',
          describe: "do not wait until the artifacts are deleted from the organization's own storage",
          flag: true,
        },
      ],
      effect: (ctx, input) => this.erasureEffect(ctx, input),
      run: (ctx, input, report) => this.erase(ctx, input, report),
    };
  }

  private async export(ctx: RequestContext, input: OperatorInput, report: ReportProgress): Promise<OperatorResult> {
    const subject = await this.subject(ctx, input);
    const file = fileOf(input);
    const options = { artifacts: input['artifacts'] === 'true' };
    const target = file === null ? process.stdout : await newFile(file);
    try {
      const { rows, artifacts, missing } = await this.exports.export(ctx, subject, target, options, report);
      return { [subject.kind]: subject.id, file, rows, artifacts, missing_artifacts: missing };
    } catch (error) {
      if (file !== null) {
        target.destroy();
        await rm(file, { force: true });
      }
      throw error;
    }
  }

  private async erasureEffect(ctx: RequestContext, input: OperatorInput): Promise<string> {
    if (await this.isErased(ctx, input)) return 'It is already erased. Nothing will change.';
    const { kind, id, label } = await this.subject(ctx, input);
    if (kind === 'organization') {
      const { projects, builds, buildBytes, testers, members } = await this.organizations.sizeOf(ctx, id);
      return (
        `The organization "${label}" will be erased permanently: ${projects} projects, ${builds} builds (${buildBytes} bytes), ` +
        `${testers} testers and ${members} memberships.`
      );
    }
    const promoted = await this.developers.plan(ctx, id, { newAdmin: await this.newAdmin(ctx, input) });
    const admin = promoted.length > 0 ? ` ${input['new_admin']} will become ADMIN of ${promoted.join(', ')}.` : '';
    return `The developer ${label} will be erased permanently. The objects that they created stay, without their name.${admin}`;
  }

  private async erase(ctx: RequestContext, input: OperatorInput, report: ReportProgress): Promise<OperatorResult> {
    if (await this.isErased(ctx, input)) return { erased: true, before: true };
    const { kind, id } = await this.subject(ctx, input);
    if (kind === 'developer') {
      await this.developers.erase(ctx, id, { newAdmin: await this.newAdmin(ctx, input) });
      return { erased: true, before: false, developer: id };
    }
    const options = { leaveOwnStorage: input['leave_own_storage'] === 'true' };
    const { builds, testers } = await this.organizations.erase(ctx, id, options, report);
    return { erased: true, before: false, organization: id, builds, testers };
  }

  /** True when an earlier run has completed the erasure. */
  private async isErased(ctx: RequestContext, input: OperatorInput): Promise<boolean> {
    const text = textOf(input);
    if (!isUuid(text) || (await this.subjects.find(ctx, text))) return false;
    return (await this.organizations.wasErased(ctx, text)) || (await this.developers.wasErased(ctx, text));
  }

  private subject(ctx: RequestContext, input: OperatorInput): Promise<Subject> {
    return this.subjects.get(ctx, textOf(input));
  }

  private async newAdmin(ctx: RequestContext, { new_admin: text }: OperatorInput): Promise<Subject | null> {
    if (text === undefined) return null;
    const subject = await this.subjects.get(ctx, text);
    if (subject.kind === 'developer') return subject;
    throw AppError.invalidInput('new_admin', '--new-admin must name a developer.');
  }
}

/** Creates a file that only the current user can read. @throws AppError already_exists */
async function newFile(path: string): Promise<Writable> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new AppError('already_exists', { message: `${path} already exists. Name another file.` })
      : error;
  });
  return file.createWriteStream({ flush: true });
}

const textOf = (input: OperatorInput): string => input[SUBJECT.name] ?? '';
const fileOf = ({ file }: OperatorInput): string | null => (file === undefined || file === '-' ? null : resolve(file));
