import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';

/** The kinds of people and tokens for whom grants are. Grants contain the position in this list. */
export const HOLDER_KINDS = ['tester', 'developer', 'project_access_token'] as const;

/** For whom a grant is: the tester who signed in, or the member or token that requested it. */
export interface GrantHolder {
  readonly kind: (typeof HOLDER_KINDS)[number];
  readonly id: string;
}

/** Decides whether the holders of grants still have what the grant proves. Reads tables of upper modules. */
export abstract class GrantHolders {
  /** False for a tester who was erased, a member who may no longer download builds, and a token that has ended. */
  abstract has(ctx: RequestContext, scope: ProjectScope, holder: GrantHolder): Promise<boolean>;
}
