import { applyDecorators, Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { EXAMPLE } from '#infra/http/dto/example';
import { envelopeOf } from '#infra/http/errors/error-presenter';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { CurrentBuildsService } from '../../current/current-builds.service';
import { installationReport, InstallationsService } from '../../installations/installations.service';
import { APP_CENTER_DOCS } from '../../updates.docs';
import { ApiPolled } from '../polling/api-polled';
import { jsonBody, sendCacheable } from '../polling/send-cacheable';
import { UpdateAddresses } from '../polling/update-addresses';
import { AppCenterReleaseResponse } from './app-center.dto';
import { appCenterRelease } from './app-center-release';

/**
 * The error code for "no release". With another code, the SDKs assume a broken set-up and forget their state. All versions of the SDKs know
 * this code.
 */
const NO_RELEASE = 'no_releases_for_user';

/**
 * The parameters of the SDKs. A value that the SDKs never send counts as absent, because they understand only the error of a missing
 * release.
 */
type SentQuery = Readonly<Partial<Record<'release_hash' | 'install_id' | 'downloaded_release_id', unknown>>>;

const optional = (name: keyof SentQuery, description: string, example?: string): MethodDecorator =>
  ApiQuery({ name, required: false, schema: { type: 'string', ...(example && { example }) }, description });

const SentBySdk = (): MethodDecorator =>
  applyDecorators(
    optional('release_hash', 'The hash of the installed app. The SDK sends it.'),
    optional(
      'install_id',
      'The random id of the installation. The SDK sends it once, after an update. Only a keyed digest is stored.',
      EXAMPLE.ids.install,
    ),
    optional(
      'downloaded_release_id',
      'The `id` of the release that was installed. With `install_id`, the installation is counted once for its build: `running` of the funnel.',
    ),
  );

/** The protocol of the App Center SDKs. */
@ApiTags('Updates')
@Describe(APP_CENTER_DOCS)
@ApiParam({ name: 'update_key', type: 'string', description: 'The key in the app.' })
@ApiParam({ name: 'app_secret', type: 'string', description: 'Any text. The SDK sends its app secret.' })
@Controller('updates/:update_key/appcenter/v0.1/public/sdk/apps/:app_secret')
export class AppCenterController {
  constructor(
    private readonly builds: CurrentBuildsService,
    private readonly installations: InstallationsService,
    private readonly addresses: UpdateAddresses,
  ) {}

  @Get('releases/latest')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @SentBySdk()
  @ApiPolled('Get the current build for an App Center SDK', AppCenterReleaseResponse)
  latest(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Query() query: SentQuery,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(ctx, { key, query }, request, response);
  }

  @Get('distribution_groups/:group/releases/latest')
  @Access({ public: true })
  @Limit('update')
  @Errors('not_found')
  @SentBySdk()
  @ApiParam({ name: 'group', type: 'string', description: 'Any text.' })
  @ApiPolled('Get the current build for an older App Center SDK', AppCenterReleaseResponse)
  latestOfGroup(
    @Ctx() ctx: RequestContext,
    @Param('update_key') key: string,
    @Query() query: SentQuery,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(ctx, { key, query }, request, response);
  }

  private async send(
    ctx: RequestContext,
    sent: { readonly key: string; readonly query: SentQuery },
    request: AppRequest,
    response: Response,
  ): Promise<void> {
    try {
      sendCacheable(request, response, jsonBody(await this.release(ctx, sent)));
    } catch (error) {
      if (!(error instanceof AppError) || error.errorCase !== 'not_found') throw error;
      response.status(404).json({ ...envelopeOf(error, ctx.requestId), code: NO_RELEASE });
    }
  }

  private async release(
    ctx: RequestContext,
    { key, query }: { readonly key: string; readonly query: SentQuery },
  ): Promise<AppCenterReleaseResponse> {
    const report = installationReport(query);
    const installation = report ? this.installations.digestOf(key, report.installId) : undefined;
    const opened = await this.builds.require(ctx, key, installation);
    if (report && installation) await this.installations.count(ctx, opened, installation, report.releaseNumber);
    const { release_hash: releaseHash } = query;
    const release = appCenterRelease(opened, {
      releaseHash: typeof releaseHash === 'string' ? releaseHash : undefined,
      packageUrl: this.addresses.ofPackage(opened),
      installPage: this.addresses.ofInstallPage(key),
      now: ctx.clock.now(),
    });
    if (!release) throw new AppError('not_found', { message: 'There is no build that the SDK could install.' });
    return { ...release, package_hashes: [...release.package_hashes] };
  }
}
