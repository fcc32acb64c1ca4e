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
  /** The members of the audience among testers, in the order of their ids. */
  abstract findAmong(
    ctx: RequestContext,
    scope: ProjectScope,
    releaseId: string,
    testerIds: readonly string[],
  ): Promise<readonly AudienceMember[]>;
}
