import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { HttpConfig } from '#infra/config/config';
import { renderMail } from '#infra/mail/render-mail';
import { ProjectContactsService, ProjectsService } from '#modules/projects';
import { type AnnouncedBuild } from './ending-builds';
import { SIGNING_MAIL } from './signing-mail';

/** Mails the managers of projects about builds that devices will stop launching. */
@Injectable()
export class SigningMailsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly contacts: ProjectContactsService,
    private readonly http: HttpConfig,
  ) {}

  /** Queues one mail about all builds to each manager, unless the project has switched these mails off. */
  async queue(tx: RequestContext, scope: ProjectScope, builds: readonly AnnouncedBuild[]): Promise<void> {
    const { name, signingExpiryMails } = await this.projects.get(tx, scope);
    if (!signingExpiryMails) return;
    const data = { project: name, builds, projectUrl: this.urlOf(scope) };
    await this.contacts.mailManagers(tx, scope, (language) => renderMail(SIGNING_MAIL[language], data));
  }

  /** Null on a service without a dashboard. */
  private urlOf({ organizationId, projectId }: ProjectScope): string | null {
    const { baseUrl, servesDashboard } = this.http;
    return servesDashboard ? `${baseUrl}/o/${organizationId}/p/${projectId}` : null;
  }
}
