import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { HttpConfig } from '#infra/config/config';
import { renderMail } from '#infra/mail/render-mail';
import { ProjectContactsService, ProjectsService } from '#modules/projects';
import { type ScheduledBuild } from './retention.repository';
import { RETENTION_MAIL } from './retention-mail';

/** The builds that a run announced. */
interface Announced {
  readonly count: number;
  /** Some of them. */
  readonly named: readonly ScheduledBuild[];
}

/** Mails the managers of projects about builds that retention will move to the trash. */
@Injectable()
export class RetentionMailsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly contacts: ProjectContactsService,
    private readonly http: HttpConfig,
  ) {}

  /** Queues one mail about all builds to each manager. @param at when they move to the trash. */
  async queue(tx: RequestContext, scope: ProjectScope, { count, named }: Announced, at: Date): Promise<void> {
    const { name: project } = await this.projects.get(tx, scope);
    const { baseUrl, servesDashboard } = this.http;
    const projectUrl = servesDashboard ? `${baseUrl}/o/${scope.organizationId}/p/${scope.projectId}` : null;
    const data = { project, count, builds: named, at, projectUrl };
    await this.contacts.mailManagers(tx, scope, (language) => renderMail(RETENTION_MAIL[language], data));
  }
}
