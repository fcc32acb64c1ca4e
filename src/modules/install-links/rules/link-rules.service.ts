import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { clientNetwork } from '#infra/network/client-network';
import { type InstallLink } from '../install-links.service';
import { type GrantHolder, GrantHolders } from './grant-holders';
import { LinkAcceptancesRepository } from './link-acceptances.repository';
import { LinkGrants, type SealedGrant } from './link-grants';
import { type LinkAccess, type LinkRule, stateOf } from './link-rule';
import { LinkRulesRepository } from './link-rules.repository';

/** A visitor must meet the access of a link before it opens. */
export interface AccessStep {
  readonly step: Exclude<LinkAccess, 'open'>;
  readonly rule: LinkRule;
}

/** A visitor must accept the terms of a link before it opens. */
export interface TermsStep {
  readonly step: 'terms';
  readonly rule: RuleWithTerms;
  /** The tester, member or token that is known to visit, null for everyone else. */
  readonly holder: GrantHolder | null;
  /** Whether the link is one of the tester who visits and needs no grant. */
  readonly isOfTester: boolean;
}

/** What a visitor must do before a link opens. */
export type LinkStep = AccessStep | TermsStep;

type RuleWithTerms = LinkRule & { readonly termsVersion: number };

/** A visit that may see what the link opens. */
export interface AdmittedVisit {
  readonly step: null;
  /** The tester who is known to visit, null for everyone else. */
  readonly testerId: string | null;
}

/** Decides who may see what a link opens. */
@Injectable()
export class LinkRulesService {
  constructor(
    private readonly repository: LinkRulesRepository,
    private readonly acceptances: LinkAcceptancesRepository,
    private readonly grants: LinkGrants,
    private readonly holders: GrantHolders,
    private readonly digest: KeyedDigest,
  ) {}

  /**
   * @param grant the grant in the path, null without one.
   * @returns null for a link that has ended, and for a grant that does not belong to the link and its present rules, or whose holder lost
   * the access.
   */
  async visit(ctx: RequestContext, link: InstallLink, grant: string | null): Promise<LinkStep | AdmittedVisit | null> {
    const ownTester = link.kind === 'tester' ? link.testerId : null;
    if (link.ruledBy === null) return grant === null ? { step: null, testerId: ownTester } : null;
    const rule = await this.repository.find(ctx, link.ruledBy);
    if (!rule) return null;
    return ownTester === null ? this.visitOfAnyone(ctx, rule, grant) : this.visitOfTester(ctx, rule, ownTester, grant);
  }

  /** The text of the terms that a visitor must accept. */
  async termsOf(ctx: RequestContext, { linkId, termsVersion }: LinkRule): Promise<string> {
    return (termsVersion === null ? null : await this.repository.findTerms(ctx, linkId, termsVersion)) ?? '';
  }

  /** A grant for a visitor who has met the access of a link. */
  async grantTo(ctx: RequestContext, rule: LinkRule, testerId: string | null): Promise<SealedGrant> {
    const { linkId, termsVersion, version } = rule;
    const accepted =
      termsVersion === null ||
      (testerId !== null && (await this.acceptances.hasAccepted(ctx, linkId, termsVersion, testerId)));
    return this.grants.issue(ctx, linkId, { version, accepted, holder: asHolder(testerId) });
  }

  /** Records that a visitor accepts the terms. @returns the grant of the visitor; a tester with a link of their own needs none. */
  async accept(ctx: RequestContext, { rule, holder }: TermsStep): Promise<SealedGrant> {
    const testerId = testerOf(holder);
    const by =
      testerId === null
        ? { testerId, addressDigest: this.digest.of('link_acceptance', clientNetwork(ctx.sourceIp)) }
        : { testerId, addressDigest: null };
    await this.acceptances.insert(ctx, rule, by);
    return this.grants.issue(ctx, rule.linkId, { version: rule.version, accepted: true, holder });
  }

  /** Counts a download in the transaction that charges it. False when the link has reached its maximum. */
  countDownload(tx: RequestContext, linkId: string): Promise<boolean> {
    return this.repository.countDownload(tx, linkId);
  }

  private async visitOfAnyone(
    ctx: RequestContext,
    rule: LinkRule,
    text: string | null,
  ): Promise<LinkStep | AdmittedVisit | null> {
    if (stateOf(rule, ctx.clock.now()) !== 'live') return null;
    if (text === null) return firstStepOf(rule);
    const grant = this.grants.open(ctx, rule.linkId, rule.version, text);
    if (grant === null) return null;
    const { accepted, holder } = grant;
    if (holder && !(await this.holders.has(ctx, rule, holder))) return null;
    return mustAccept(rule) && !accepted ? termsOf(rule, holder) : { step: null, testerId: testerOf(holder) };
  }

  /** The mail that contains the link proves the tester's address, so only the end of the link and its terms concern the tester. */
  private async visitOfTester(
    ctx: RequestContext,
    rule: LinkRule,
    testerId: string,
    grant: string | null,
  ): Promise<LinkStep | AdmittedVisit | null> {
    if (grant !== null || stateOf({ ...rule, maxDownloads: null }, ctx.clock.now()) !== 'live') return null;
    const { linkId } = rule;
    if (mustAccept(rule) && !(await this.acceptances.hasAccepted(ctx, linkId, rule.termsVersion, testerId)))
      return { step: 'terms', rule, holder: asHolder(testerId), isOfTester: true };
    return { step: null, testerId };
  }
}

/** What a visitor without a grant must do first. */
function firstStepOf(rule: LinkRule): LinkStep | AdmittedVisit {
  if (rule.access !== 'open') return { step: rule.access, rule };
  return mustAccept(rule) ? termsOf(rule, null) : { step: null, testerId: null };
}

const termsOf = (rule: RuleWithTerms, holder: GrantHolder | null): TermsStep => ({
  step: 'terms',
  rule,
  holder,
  isOfTester: false,
});

const asHolder = (testerId: string | null): GrantHolder | null =>
  testerId === null ? null : { kind: 'tester', id: testerId };

const testerOf = (holder: GrantHolder | null): string | null => (holder?.kind === 'tester' ? holder.id : null);

const mustAccept = (rule: LinkRule): rule is RuleWithTerms => rule.termsVersion !== null;
