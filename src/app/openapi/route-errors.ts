import { ERROR_CATALOGUE, type ErrorCase } from '#kernel/errors/catalogue';
import { credentialAccessOf, type DeclaredRoute, isGated, needsVerified } from '../routes';

/** What a route takes: decides which faults of input it can have. */
export interface RouteInput {
  readonly hasBody: boolean;
  readonly hasParameters: boolean;
}

interface Consequence {
  readonly when: (route: DeclaredRoute, input: RouteInput) => boolean;
  readonly cases: readonly ErrorCase[];
}

/** The ways to fail that follow from what a route declares besides its errors. */
const CONSEQUENCES: readonly Consequence[] = [
  { when: () => true, cases: ['rate_limit_exceeded', 'internal_error', 'storage_backend_unavailable'] },
  { when: (_, { hasBody, hasParameters }) => hasBody || hasParameters, cases: ['validation_error'] },
  { when: (_, { hasBody }) => hasBody, cases: ['payload_too_large'] },
  { when: ({ path }) => /:\w/.test(path), cases: ['not_found'] },
  // A key that was used for another body, or whose first request is still under way (contract §13).
  { when: ({ idempotent }) => idempotent !== undefined, cases: ['invalid_input', 'already_exists'] },
  // Admission (specification §7 rule 2), and the bound on open reservations.
  { when: isGated, cases: ['prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded'] },
  // The refusals of contract §2.
  { when: (route) => credentialAccessOf(route) !== null, cases: ['unauthorized', 'permission_denied'] },
  { when: rejectsLongLived, cases: ['interactive_login_required'] },
  { when: asksForRole, cases: ['insufficient_role'] },
  { when: needsVerified, cases: ['email_not_verified'] },
];

/** Every way in which a route can fail, by status. */
export function errorsOf(route: DeclaredRoute, input: RouteInput): ReadonlyMap<number, readonly ErrorCase[]> {
  const implied = CONSEQUENCES.filter(({ when }) => when(route, input)).flatMap(({ cases }) => cases);
  const byStatus = new Map<number, ErrorCase[]>();
  for (const errorCase of [...new Set([...route.errors, ...implied])].sort()) {
    const { status } = ERROR_CATALOGUE[errorCase];
    byStatus.set(status, [...(byStatus.get(status) ?? []), errorCase]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

function rejectsLongLived(route: DeclaredRoute): boolean {
  const access = credentialAccessOf(route);
  return access !== null && !(access.by.includes('pat') && access.by.includes('project-token'));
}

function asksForRole(route: DeclaredRoute): boolean {
  const access = credentialAccessOf(route);
  return access?.organization !== undefined || access?.project !== undefined;
}
