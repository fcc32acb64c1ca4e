import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type Build, type StoredDetails } from '../catalogue/build';
import { buildDeviceContext, BuildDevicesRepository, DeviceDigests } from './build-devices.repository';

/** The devices in the provisioning profiles of builds. */
@Injectable()
export class ProfileDevicesService implements OnModuleInit {
  constructor(
    private readonly repository: BuildDevicesRepository,
    private readonly digests: DeviceDigests,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly sealed: SealedColumns,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('builds.seal-devices', '*/10 * * * *', (ctx) => this.sealAll(ctx));
    const contextOf = buildDeviceContext;
    this.sealed.register({ table: 'build_device', column: 'udid_sealed', key: 'id', contextOf });
  }

  /** The ids (UDIDs) of the devices of a build; null when its profile is not restricted to devices, and when they were not recorded. */
  async udidsOf(
    ctx: RequestContext,
    { id, artifact }: Pick<Build, 'id' | 'artifact'>,
    details: StoredDetails,
  ): Promise<readonly string[] | null> {
    if (artifact.signing?.platform !== 'ios' || artifact.signing.deviceCount === null) return null;
    const udids = await this.repository.udidsOf(ctx, id);
    return udids.length > 0 || artifact.signing.deviceCount === 0 ? udids : (details.devices ?? null);
  }

  /** The digest by which a device of an organization is found. */
  digestOf(scope: Pick<ProjectScope, 'organizationId'>, udid: string): Buffer {
    return this.digests.of(scope, udid);
  }

  /** The builds among some whose profile has a device. */
  buildsWith(
    ctx: RequestContext,
    scope: ProjectScope,
    digest: Buffer,
    among: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.repository.buildsWith(ctx, scope, digest, among);
  }

  /** The digests among some that are in the profile of a build of the project. */
  digestsInBuilds(ctx: RequestContext, scope: ProjectScope, digests: readonly Buffer[]): Promise<Buffer[]> {
    return this.repository.digestsInBuilds(ctx, scope, digests);
  }

  /** The digests of the devices of a build. */
  digestsOf(ctx: RequestContext, buildId: string): Promise<Buffer[]> {
    return this.repository.digestsOf(ctx, buildId);
  }

  /** Forgets devices in all builds of a project. Their artifacts still contain the ids. */
  erase(tx: RequestContext, scope: ProjectScope, digests: readonly Buffer[]): Promise<void> {
    return this.repository.erase(tx, scope, digests);
  }

  private async sealAll(ctx: RequestContext): Promise<void> {
    let changed: number;
    do changed = await this.transactions.run(ctx, (tx) => this.repository.sealNext(tx));
    while (changed > 0);
  }
}
