import { randomBytes } from 'node:crypto';
import { type INestApplicationContext } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { OperatorBillingService } from '#modules/billing';
import { DevelopersService } from '#modules/developers';
import { OrganizationsService } from '#modules/organizations';
import { ProjectsService } from '#modules/projects';
import { ProjectAccessTokensService } from '#modules/tokens';
import { Transactions } from '#infra/database/transactions';
import { type DemoRecord, type DemoRecordFile } from './demo-record';

/** The domain is reserved (RFC 2606), so no mail reaches a person. */
export const DEMO_EMAIL = 'demo@agate.example';

/** 120 random bits. */
const newPassword = (): string => randomBytes(15).toString('base64url');

/**
 * Makes the demo's developer, organization (on the business plan, for channels), project and token in one transaction. Null when
 * the database has the developer already. The credentials are written to the file before the commit, so that a crash cannot
 * leave an account with an unknown password.
 */
export async function makeDemoTenant(
  app: INestApplicationContext,
  ctx: RequestContext,
  file: DemoRecordFile,
): Promise<DemoRecord | null> {
  try {
    return await app.get(Transactions).run(ctx, async (tx) => {
      const credentials = { email: DEMO_EMAIL, password: newPassword() };
      const { id, email } = await app.get(DevelopersService).createVerified(tx, { ...credentials, name: 'Demo' });
      const own: RequestContext = { ...tx, identity: { kind: 'jwt', developerId: id, email, emailVerified: true } };
      const organization = await app.get(OrganizationsService).create(own, 'Demo');
      await app.get(OperatorBillingService).setPlan(own, organization.id, 'business');
      const project = await app.get(ProjectsService).create(own, organization.id, { name: 'Agate Demo' });
      const scope = { organizationId: organization.id, projectId: project.id };
      const draft = { name: 'Demo CI', role: 'MANAGE_RELEASES', expiresAt: null } as const;
      const { token } = await app.get(ProjectAccessTokensService).create(own, scope, draft);
      const record = { ...credentials, ...scope, token, complete: false };
      await file.write(record);
      return record;
    });
  } catch (error) {
    if (error instanceof AppError && error.errorCase === 'already_exists') return null;
    throw error;
  }
}
