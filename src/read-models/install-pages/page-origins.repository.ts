import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type PageOrigin, PageOrigins } from '#modules/install';
import { type StoredBranding, toBrand } from '#modules/organizations';

interface FoundOrigin {
  readonly organization: string;
  readonly branding: StoredBranding | null;
  readonly people: Readonly<Record<string, string>> | null;
}

@Injectable()
export class PageOriginsRepository extends PageOrigins {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async find(ctx: RequestContext, organizationId: string, developerIds: readonly string[]): Promise<PageOrigin> {
    const found = await one<FoundOrigin>(
      this.transactions.manager(ctx),
      `SELECT o.name AS organization, o.branding, (
         SELECT json_object_agg(d.id, d.name) FROM developer d WHERE d.id = ANY ($2::uuid[]) AND d.name IS NOT NULL) AS people
       FROM organization o WHERE o.id = $1 ${ONE_PLAN}`,
      [organizationId, developerIds],
    );
    const brand = toBrand(found?.organization ?? '', found?.branding ?? null);
    return { brand, people: new Map(Object.entries(found?.people ?? {})) };
  }
}
