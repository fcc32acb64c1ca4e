import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  type AccessDemand,
  effectiveProjectRole,
  needsOrganization,
  type Parents,
  type Refusal,
  refuseCredential,
  refuseRole,
} from '#kernel/access/policy';
import { AppError } from '#kernel/errors/app-error';
import { canonicalId, isUuid } from '#kernel/ids';
import { ACCESS_KEY, type AccessRule, type CredentialAccess, isCredentialAccess } from '#infra/http/access';
import { type AppRequest } from '#infra/http/request/app-request';
import { parentsOf } from '#infra/http/request/parents';
import { ReplayAfterAccessLoss } from '#infra/idempotency/replay-after-access-loss';
import { AccessService } from './access.service';
import { accessError } from './access-error';

/** Enforces the route's `@Access` rule before a row of the requested resource is read. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly service: AccessService,
    private readonly replays: ReplayAfterAccessLoss,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_KEY, execution.getHandler());
    if (!rule) throw new AppError('internal_error', { message: 'A route has no @Access.' });
    if (!isCredentialAccess(rule)) return true;
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const demand = demandOf(rule, request);
    const refusal = await this.check(request, demand);
    if (refusal && !(await this.replays.find(execution))) throw accessError(refusal, demand);
    return true;
  }

  /**
   * Returns why the owner of the credential may not use the route; null when they may.
   * @throws AppError when the route does not accept this credential, or when a parent id is missing or malformed.
   */
  private async check(request: AppRequest, demand: AccessDemand): Promise<Refusal | null> {
    const { identity } = request.context;
    normalizeParents(request);
    const refusal = refuseCredential(demand, identity, parentsOf(request));
    // A caller whose credential the route does not accept must not learn whether the parent ids are well-formed.
    if (refusal && refusal.error !== 'permission_denied') throw accessError(refusal, demand);
    const parents = requireParents(request, demand);
    if (refusal) throw accessError(refusal, demand);
    const facts = request.accessFacts ?? (await this.service.factsOf(request.context, demand, parents));
    const roleRefusal = refuseRole(demand, identity, facts);
    const { organizationId } = parents;
    const admitted = !roleRefusal && organizationId !== null && needsOrganization(demand) ? { organizationId } : {};
    request.context = { ...request.context, projectRole: effectiveProjectRole(facts), ...admitted };
    return roleRefusal;
  }
}

const PARENTS = ['organization_id', 'project_id'];

const demandOf = (rule: CredentialAccess, request: AppRequest): AccessDemand => ({
  ...rule,
  verified: rule.verified ?? !['GET', 'HEAD'].includes(request.method),
});

/** Writes the parents into the query in canonical form, so that the handler reads the same parents that the guard checks. */
function normalizeParents(request: AppRequest): void {
  const query = { ...boundParents(request), ...request.query };
  for (const name of PARENTS) if (name in query) query[name] = canonicalId(query[name]);
  Object.defineProperty(request, 'query', { value: query, configurable: true, enumerable: true, writable: true });
}

/** The parents of a project token. CI may omit them from the query because the token is bound to them. */
function boundParents({ context: { identity }, params }: AppRequest): Partial<Record<string, string>> {
  if (identity.kind !== 'project-token') return {};
  const { organizationId: organization_id, projectId: project_id } = identity;
  return { organization_id, ...('project_id' in params ? {} : { project_id }) };
}

/** @throws AppError validation_error when a parent that the rule needs is missing or malformed. */
function requireParents(request: AppRequest, demand: AccessDemand): Parents {
  const parents = parentsOf(request);
  const needed = [
    ...(needsOrganization(demand) ? [['organization_id', parents.organizationId] as const] : []),
    ...(demand.project !== undefined ? [['project_id', parents.projectId] as const] : []),
  ];
  const malformed = needed.filter(([, value]) => !isUuid(value));
  if (malformed.length > 0) {
    throw AppError.validation(malformed.map(([field]) => ({ field, messages: [`${field} must be a UUID`] })));
  }
  return parents;
}
