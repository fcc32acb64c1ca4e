import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type InstallLinksService, type TesterInstallLink } from '#modules/install-links';

/** The link of a token. @throws AppError not_found for a link that does not work or belongs to no tester. */
export async function requireTesterLink(
  installLinks: InstallLinksService,
  ctx: RequestContext,
  token: string,
): Promise<TesterInstallLink> {
  const link = await installLinks.resolve(ctx, token);
  if (link?.kind === 'tester') return link;
  throw new AppError('not_found', {
    message: 'This link does not work, or it is not personal. Use the link of a mail that was sent to you.',
  });
}

/** The context of a request whose credential is the link. */
export const contextOfTesterLink = (
  ctx: RequestContext,
  { id: inviteId, testerId, channelId }: TesterInstallLink,
): RequestContext => ({ ...ctx, identity: { kind: 'invite', inviteId, testerId, channelId } });
