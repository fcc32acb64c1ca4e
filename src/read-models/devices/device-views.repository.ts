import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { LIVE } from '#modules/builds';
import { type DeviceFilter, devicesList, DeviceViews, type ShownDevice } from '#modules/devices';

type DeviceRow = Omit<ShownDevice, 'tester'> & { readonly email: string | null; readonly testerName: string | null };

/** The newest builds of iOS among which the newest restricted one is searched. */
const SEARCHED_BUILDS = 100;

const IS_RESTRICTED = `artifact -> 'signing' ->> 'deviceCount' IS NOT NULL`;

/** The newest build whose profile names devices. */
const NEWEST_RESTRICTED = `
  SELECT id FROM (
    SELECT id, artifact FROM build WHERE organization_id = $1 AND project_id = $2 AND platform = 'ios' AND ${LIVE}
    ORDER BY id DESC LIMIT ${SEARCHED_BUILDS}) newest
  WHERE ${IS_RESTRICTED} ORDER BY id DESC LIMIT 1`;

const IS_PROVISIONED = `EXISTS (SELECT FROM build_device b WHERE b.build_id = $3 AND b.udid_digest = d.udid_digest)`;

@Injectable()
export class DeviceViewsRepository extends DeviceViews {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    { testerId, ids, buildId, provisioned, registered }: DeviceFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<ShownDevice>> {
    const list = devicesList(scope);
    const manager = this.transactions.manager(ctx);
    const restricted = await (buildId === undefined
      ? this.newestRestricted(ctx, scope)
      : this.ifRestricted(ctx, scope, buildId));
    const found = await rows<DeviceRow>(
      manager,
      `SELECT ${columnsOf(manager.connection.getMetadata('device'), 'd')}, t.email, t.name AS "testerName",
              CASE WHEN $3::uuid IS NOT NULL THEN ${IS_PROVISIONED} END AS provisioned
       FROM device d LEFT JOIN tester t ON t.id = d.tester_id
       WHERE d.organization_id = $1 AND d.project_id = $2
         AND ($4::uuid IS NULL OR d.id < $4) AND ($5::uuid IS NULL OR d.tester_id = $5)
         AND ($6::uuid[] IS NULL OR d.id = ANY ($6)) AND ($7::boolean IS NULL OR ${IS_PROVISIONED} = $7)
         AND ($8::boolean IS NULL OR (d.registered_at IS NOT NULL) = $8)
       ORDER BY d.id DESC LIMIT $9`,
      [
        scope.organizationId,
        scope.projectId,
        restricted,
        decodeCursor(cursor, list),
        testerId ?? null,
        ids ?? null,
        provisioned ?? null,
        registered ?? null,
        limit + 1,
      ],
    );
    const devices = found.map(({ email, testerName, ...device }) => ({
      ...device,
      tester: email === null ? null : { email, name: testerName },
    }));
    return pageOf(devices, limit, list);
  }

  private async newestRestricted(ctx: RequestContext, { organizationId, projectId }: ProjectScope) {
    const found = await one<{ id: string }>(this.transactions.manager(ctx), NEWEST_RESTRICTED, [
      organizationId,
      projectId,
    ]);
    return found?.id ?? null;
  }

  /** The id of a build if its profile names devices, else null. @throws AppError not_found */
  private async ifRestricted(ctx: RequestContext, { organizationId, projectId }: ProjectScope, buildId: string) {
    const found = await one<{ isRestricted: boolean }>(
      this.transactions.manager(ctx),
      `SELECT platform = 'ios' AND ${IS_RESTRICTED} AS "isRestricted" FROM build
       WHERE organization_id = $1 AND project_id = $2 AND id = $3 AND ${LIVE}`,
      [organizationId, projectId, buildId],
    );
    if (!found) throw AppError.notFound('build');
    return found.isRestricted ? buildId : null;
  }
}
