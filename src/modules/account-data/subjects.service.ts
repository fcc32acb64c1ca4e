import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { DevelopersService } from '#modules/developers';
import { OrganizationsService } from '#modules/organizations';

/** The organization or developer that an export or erasure is about. */
export interface Subject {
  readonly kind: 'organization' | 'developer';
  readonly id: string;
  /** The name of the organization, or the e-mail address of the developer. */
  readonly label: string;
}

/** Finds the subject that an operator names. */
@Injectable()
export class SubjectsService {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly developers: DevelopersService,
  ) {}

  /** @param text the id of an organization, or the id or e-mail address of a developer. @returns null when neither exists. */
  async find(ctx: RequestContext, text: string): Promise<Subject | null> {
    const id = isUuid(text) ? text.toLowerCase() : null;
    const organization = id && (await this.organizations.findName(ctx, id));
    if (id && organization) return { kind: 'organization', id, label: organization };
    const developerId = id ?? (await this.developers.findIdByEmail(ctx, text));
    const developer = developerId && (await this.developers.findMany(ctx, [developerId])).get(developerId);
    return developer ? { kind: 'developer', id: developer.id, label: developer.email } : null;
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, text: string): Promise<Subject> {
    const subject = await this.find(ctx, text);
    if (subject) return subject;
    throw new AppError('not_found', { message: `There is no organization or developer ${text}.` });
  }
}
