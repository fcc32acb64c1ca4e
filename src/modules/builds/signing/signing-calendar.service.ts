import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AuditEvent } from '#kernel/audit/audit-event';
import { endsToAnnounce, nearSigningEnd } from '#kernel/builds/signing-end';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { OrganizationSchedules, type OrganizationWork } from '#infra/jobs/shards/organization-schedules';
import { type AnnouncedBuild, EndingBuilds } from './ending-builds';
import { SigningCalendarRepository } from './signing-calendar.repository';
import { SigningMailsService } from './signing-mails.service';

/**
 * Announces, once a day, the builds that devices will stop launching or have stopped launching: as audit events, and in a mail per project to
 * its managers. After days without a run, each build is announced once, with the days that are left then.
 */
@Injectable()
export class SigningCalendarService implements OnModuleInit {
  constructor(
    private readonly calendar: SigningCalendarRepository,
    private readonly ending: EndingBuilds,
    private readonly mails: SigningMailsService,
    private readonly schedules: OrganizationSchedules,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    const work: OrganizationWork = {
      find: (ctx, page) => this.calendar.findOrganizations(ctx, page),
      run: (ctx, id) => this.announceAll(ctx, id),
    };
    this.schedules.schedule('builds.announce-signing-ends', '50 5 * * *', work, { catchUpHours: 24 });
  }

  private async announceAll(ctx: RequestContext, organizationId: string): Promise<void> {
    const projects = await this.calendar.findDue(ctx, organizationId);
    await forEachCollectingErrors(projects, (projectId) => this.announce(ctx, { organizationId, projectId }));
  }

  /** Events and mails commit together with the calendar, so a killed process repeats all of them or none. */
  private announce(ctx: RequestContext, scope: ProjectScope): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const announcedUntil = await this.calendar.advance(tx, scope);
      if (!announcedUntil) return;
      const now = tx.clock.now();
      const found = await this.ending.find(tx, scope, endsToAnnounce(announcedUntil, now));
      const builds = found.flatMap(({ end, ...build }) => {
        const near = nearSigningEnd(end, now);
        return near ? [{ ...build, ...near }] : [];
      });
      if (builds.length === 0) return;
      const events = builds.map((build) => eventOf(scope, build));
      await this.audit.recordAll(tx, events);
      await this.mails.queue(tx, scope, builds);
    });
  }
}

const eventOf = (
  { organizationId, projectId }: ProjectScope,
  { id, platform, version, buildNumber, what, at, daysLeft }: AnnouncedBuild,
): AuditEvent => ({
  type: daysLeft === 0 ? 'build.signing_expired' : 'build.signing_expires',
  organizationId,
  projectId,
  payload: {
    build_id: id,
    platform,
    version,
    build_number: buildNumber,
    what,
    expires_at: at.toISOString(),
    days_left: daysLeft,
  },
});
