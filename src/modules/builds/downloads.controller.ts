import { Controller, Get, Head, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { type AgateRequest } from '#platform/http/agate-request';
import { AnswersFile } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { sendBlob } from '#platform/http/send-blob';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { DownloadsService } from './downloads.service';

/** The other end of a download URL. The ticket in the path is the entire credential: installers send nothing else. */
@ApiTags('Install')
@Controller('download/:ticket/:file_name')
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  @Head()
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found')
  @AnswersFile('What GET would send; costs nothing.')
  head(
    @Ctx() ctx: RequestContext,
    @Req() request: AgateRequest,
    @Res() response: Response,
    @Param('ticket') ticket: string,
  ): Promise<void> {
    return this.send(ctx, request, response, ticket);
  }

  @Get()
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found', 'storage_backend_unavailable')
  @AnswersFile('The artifact, or the part that Range asks for.')
  get(
    @Ctx() ctx: RequestContext,
    @Req() request: AgateRequest,
    @Res() response: Response,
    @Param('ticket') ticket: string,
  ): Promise<void> {
    return this.send(ctx, request, response, ticket);
  }

  private async send(ctx: RequestContext, request: AgateRequest, response: Response, ticket: string): Promise<void> {
    await sendBlob(request, response, await this.downloads.open(ctx, ticket));
  }
}
