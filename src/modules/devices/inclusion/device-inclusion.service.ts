import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { BuildsService, type BuildWarning, type NewBuild, ProfileDevicesService } from '#modules/builds';
import { DevicesRepository } from '../devices.repository';
import { IncludedMailsService } from './included-mails.service';

interface IncludePayload extends ProjectScope {
  readonly buildId: string;
}

const INCLUDE = defineJob<IncludePayload>('devices.include');

/** Finds the devices that a new build leaves out, and those that it includes for the first time. */
@Injectable()
export class DeviceInclusionService implements OnModuleInit {
  constructor(
    private readonly repository: DevicesRepository,
    private readonly profiles: ProfileDevicesService,
    private readonly builds: BuildsService,
    private readonly mails: IncludedMailsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register(INCLUDE, (ctx, payload) => this.include(ctx, payload));
    this.builds.creating.add((tx, build) => this.compare(tx, build));
  }

  /** Warns of known devices that a build leaves out. A build whose profile names no devices leaves out none. */
  private async compare(tx: RequestContext, { id, devices, ...scope }: NewBuild): Promise<readonly BuildWarning[]> {
    if (devices === null) return [];
    const digests = devices.map((udid) => this.profiles.digestOf(scope, udid));
    const { missing, waiting } = await this.repository.compare(tx, scope, digests);
    if (waiting > 0) await this.jobs.enqueue(tx, INCLUDE, { ...scopeOf(scope), buildId: id });
    return missing === 0 ? [] : [missingWarning(missing)];
  }

  private async include(ctx: RequestContext, { buildId, ...scope }: IncludePayload): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.builds.hold(tx, scope, buildId))) return;
      const digests = await this.profiles.digestsOf(tx, buildId);
      const included = await this.repository.lockNotIncluded(tx, scope, digests);
      if (included.length === 0) return;
      const build = (await this.builds.findMany(tx, scope, [buildId])).get(buildId);
      if (!build) return;
      await this.repository.markIncluded(
        tx,
        included.map(({ id }) => id),
      );
      const events = included.map(({ id, testerId }) => {
        const payload = { device_id: id, build_id: buildId, ...(testerId !== null && { tester_id: testerId }) };
        return { type: 'device.included', ...scopeOf(scope), payload } as const;
      });
      await this.audit.recordAll(tx, events);
      const testerIds = new Set(included.flatMap(({ testerId }) => testerId ?? []));
      for (const testerId of testerIds) await this.mails.queue(tx, scope, testerId, build);
    });
  }
}

function missingWarning(missing: number): BuildWarning {
  const [subject, them] = missing === 1 ? ['1 known device was', 'it'] : [`${missing} known devices were`, 'them'];
  const message = `${subject} not in the provisioning profile when this build was uploaded, so it does not install there. Register ${them} with Apple, renew the profile and build again.`;
  return { code: 'devices_missing', message };
}
