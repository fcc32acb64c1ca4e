import { applyDecorators, Get, Head, Header, Param, Query, Req, Res } from '@nestjs/common';
import { ApiParam, type ApiParamOptions } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { type ErrorCase } from '#kernel/errors/catalogue';
import { Access } from '#infra/http/access';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiBlobHead, ApiFile, ApiRedirect, Errors } from '#infra/http/response/api-responses';
import { sendBlob } from '#infra/http/response/blob-response';
import { Limit } from '#infra/rate-limit/limits';
import { type Icon, type OpenDownload } from '#modules/builds';
import { MANIFEST_CONTENT_TYPE } from './manifest';
import { IMAGE_CONTENT_SECURITY_POLICY, sendIcon } from './page/icon-response';
import { QR_CONTENT_TYPE, QR_PNG_CONTENT_TYPE, QR_PNG_SIZE, qrCodePng, qrCodeSvg } from './page/qr-code';
import { QrPngQuery } from './page/qr-code.dto';

/** The files of the build that a path names: an install link or an update key. @throws AppError not_found */
interface FilesOfPath<Path> {
  manifest(ctx: RequestContext, path: Path): Promise<string>;
  /** @throws AppError as `manifest`, without minting a download URL. */
  requireOverTheAir(ctx: RequestContext, path: Path): Promise<void>;
  icon(ctx: RequestContext, path: Path): Promise<Icon>;
  /** The absolute URL of the page. */
  pageUrl(ctx: RequestContext, path: Path): Promise<string>;
  /** Describes the package for a HEAD request, without minting a download URL. */
  describePackage(ctx: RequestContext, path: Path, fileName: string): Promise<OpenDownload>;
  downloadUrl(ctx: RequestContext, path: Path, fileName: string): Promise<string>;
}

interface InstallFilesOptions {
  /** The decorator of the parameter with the path. */
  readonly PathParam: () => ParameterDecorator;
  /** The descriptions of the parameters in the controller's path. */
  readonly params?: readonly ApiParamOptions[];
  readonly access: Rule;
  /** The access to the routes that mint a download URL. */
  readonly mintAccess: Rule;
  /** The errors of these routes that their access does not imply. */
  readonly mintErrors?: readonly ErrorCase[];
}

type Rule = Parameters<typeof Access>[0];

const PackageRoute = (rule: Rule, ...errors: ErrorCase[]): MethodDecorator =>
  applyDecorators(Access(rule), Limit('page'), Errors('not_found', ...errors));

const ManifestRoute = (rule: Rule, ...errors: ErrorCase[]): MethodDecorator =>
  applyDecorators(
    PackageRoute(rule, 'operation_not_allowed', ...errors),
    Header('Content-Type', MANIFEST_CONTENT_TYPE),
  );

const AssetRoute = (rule: Rule): MethodDecorator => applyDecorators(Access(rule), Limit('asset'), Errors('not_found'));

const QrCodeRoute = (rule: Rule, contentType: string): MethodDecorator =>
  applyDecorators(
    AssetRoute(rule),
    Header('Content-Type', contentType),
    Header('Content-Security-Policy', IMAGE_CONTENT_SECURITY_POLICY),
  );

/** The package itself. Its path has a parameter that would match the names of all other files, so its routes come after theirs: in a base class. */
function PackageFile<Path>({ PathParam, params = [], access, mintAccess, mintErrors = [] }: InstallFilesOptions) {
  @applyDecorators(...params.map((param) => ApiParam(param)))
  abstract class PackageRoutes {
    protected abstract readonly install: FilesOfPath<Path>;

    @Head(':package_file')
    @PackageRoute(access)
    @ApiBlobHead('Get size and type of the package; reserves nothing')
    async lookAtPackage(
      @Ctx() ctx: RequestContext,
      @PathParam() path: Path,
      @Param('package_file') file: string,
      @Req() request: AppRequest,
      @Res() response: Response,
    ): Promise<void> {
      await sendBlob(request, response, await this.install.describePackage(ctx, path, file));
    }

    @Get(':package_file')
    @PackageRoute(mintAccess, ...mintErrors)
    @ApiRedirect('Download the package; redirects to a download URL minted for this request')
    async package(
      @Ctx() ctx: RequestContext,
      @PathParam() path: Path,
      @Param('package_file') file: string,
    ): Promise<{ url: string }> {
      return { url: await this.install.downloadUrl(ctx, path, file) };
    }
  }
  return PackageRoutes;
}

/**
 * The files below an install page, for the phone that opened it. HEAD requests mint and reserve nothing. Each call returns another class,
 * because the descriptions of operations are stored on its methods.
 */
export function InstallFiles<Path>(options: InstallFilesOptions) {
  const { PathParam, params = [], access, mintAccess, mintErrors = [] } = options;
  @applyDecorators(...params.map((param) => ApiParam(param)))
  abstract class InstallFileRoutes extends PackageFile<Path>(options) {
    @Head('manifest.plist')
    @ManifestRoute(access)
    @ApiFile('Check whether there is a manifest; reserves nothing', 'text/xml')
    async lookAtManifest(@Ctx() ctx: RequestContext, @PathParam() path: Path): Promise<void> {
      await this.install.requireOverTheAir(ctx, path);
    }

    @Get('manifest.plist')
    @ManifestRoute(mintAccess, ...mintErrors)
    @ApiFile('Get the over-the-air manifest for iOS, with a download URL minted for it', 'text/xml')
    manifest(@Ctx() ctx: RequestContext, @PathParam() path: Path): Promise<string> {
      return this.install.manifest(ctx, path);
    }

    @Get('icon.png')
    @AssetRoute(access)
    @ApiFile("Get the app's icon", 'image/*')
    async icon(@Ctx() ctx: RequestContext, @PathParam() path: Path, @Res() response: Response): Promise<void> {
      sendIcon(response, await this.install.icon(ctx, path));
    }

    @Get('qr.svg')
    @QrCodeRoute(access, QR_CONTENT_TYPE)
    @ApiFile('Get the address of the page as a QR code', 'image/svg+xml')
    async qrCode(@Ctx() ctx: RequestContext, @PathParam() path: Path): Promise<string> {
      return qrCodeSvg(await this.install.pageUrl(ctx, path));
    }

    @Get('qr.png')
    @QrCodeRoute(access, QR_PNG_CONTENT_TYPE)
    @ApiFile('Get the address of the page as a QR code in pixels', QR_PNG_CONTENT_TYPE)
    async qrCodePng(
      @Ctx() ctx: RequestContext,
      @PathParam() path: Path,
      @Query() { size = QR_PNG_SIZE.default }: QrPngQuery,
      @Res() response: Response,
    ): Promise<void> {
      response.send(qrCodePng(await this.install.pageUrl(ctx, path), size));
    }
  }
  return InstallFileRoutes;
}
