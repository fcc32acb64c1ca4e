import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type AccessDemand, type Parents, refuseCredential, type Refusal, refuseRole } from '#kernel/access/policy';
import { AppError } from '#kernel/errors/app-error';
import { canonicalId, isUuid } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { ReplayAfterAccessLoss } from '#infra/idempotency/replay-after-access-loss';
import { ACCESS_KEY, type AccessRule, type CredentialAccess, isCredentialAccess } from '#infra/http/access';
import { AccessService, wantsOrganization } from './access.service';
import { refused } from './refused';

/** Lets a request through to its route, or refuses it, before any row of the resource is read. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly service: AccessService,
    private readonly owed: ReplayAfterAccessLoss,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_KEY, execution.getHandler());
    if (!rule) throw new AppError('internal_error', { message: 'A route has no @Access.' });
    if (!isCredentialAccess(rule)) return true;
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const demand = demandOf(rule, request);
    const refusal = await this.check(request, demand);
    if (refusal && !(await this.owed.find(execution))) throw refused(refusal, demand);
    return true;
  }

  /**
   * Why the owner of the credential may not use the route.
   * @throws AppError when the credential itself is no good here, or a parent is missing.
   */
  private async check(request: AppRequest, demand: AccessDemand): Promise<Refusal | null> {
    const { identity } = request.context;
    settleParents(request);
    const unbound = refuseCredential(demand, identity, parentsOf(request));
    // A missing or malformed parent is told only to those whose credential is good here at all.
    if (unbound && unbound.error !== 'permission_denied') throw refused(unbound, demand);
    const parents = requireParents(request, demand);
    if (unbound) throw refused(unbound, demand);
    const facts = await this.service.factsOf(request.context, demand, parents);
    return refuseRole(demand, identity, facts);
  }
}

const PARENTS = ['organization_id', 'project_id'];

const demandOf = (rule: CredentialAccess, request: AppRequest): AccessDemand => ({
  ...rule,
  verified: rule.verified ?? !['GET', 'HEAD'].includes(request.method),
});

/** Whatever follows reads the same parents from the query as are judged here. */
function settleParents(request: AppRequest): void {
  const query = { ...boundParents(request), ...request.query };
  for (const name of PARENTS) if (name in query) query[name] = canonicalId(query[name]);
  Object.defineProperty(request, 'query', { value: query, configurable: true, enumerable: true, writable: true });
}

/** A project token's parents are known: CI may leave them out (contract §7). */
function boundParents({ context: { identity }, params }: AppRequest): Partial<Record<string, string>> {
  if (identity.kind !== 'project-token') return {};
  const { organizationId: organization_id, projectId: project_id } = identity;
  return { organization_id, ...('project_id' in params ? {} : { project_id }) };
}

/** The parents as they were sent: from the path, or else the query. */
function parentsOf(request: AppRequest): Parents {
  const sent = (name: string): string | null => {
    const value: unknown = (request.params as Record<string, unknown>)[name] ?? request.query[name];
    return typeof value === 'string' ? canonicalId(value) : null;
  };
  return { organizationId: sent('organization_id'), projectId: sent('project_id') };
}

function requireParents(request: AppRequest, demand: AccessDemand): Parents {
  const parents = parentsOf(request);
  const wanted = [
    ...(wantsOrganization(demand) ? [['organization_id', parents.organizationId] as const] : []),
    ...(demand.project !== undefined ? [['project_id', parents.projectId] as const] : []),
  ];
  const wrong = wanted.filter(([, value]) => !isUuid(value));
  if (wrong.length > 0) {
    throw AppError.validation(wrong.map(([field]) => ({ field, messages: [`${field} must be a UUID`] })));
  }
  return parents;
}
