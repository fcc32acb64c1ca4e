import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type AdoptionStep } from '#modules/testers';

/** A tester whom a release concerns. */
export interface AudienceMember {
  readonly id: string;
  readonly step: AdoptionStep;
  /** Whether the tester got the last mail that they may get before they open a link. */
  readonly hasEnoughUnopened: boolean;
}

/** Reads the audience of releases, which depends on downloads. A read model implements it. */
export abstract class AudienceViews {
  /** The members of the audience among testers. */
  abstract findAmong(
    ctx: RequestContext,
    scope: ProjectScope,
    releaseId: string,
    testerIds: readonly string[],
  ): Promise<readonly AudienceMember[]>;

  /** The next members of the audience who do not have the build, in the order of their ids. */
  abstract listLacking(
    ctx: RequestContext,
    scope: ProjectScope,
    releaseId: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly AudienceMember[]>;
}
