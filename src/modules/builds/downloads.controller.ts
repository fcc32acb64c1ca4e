import { Controller, Get, Head, Param, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { deviceFamilyOf } from '#kernel/devices/device';
import { type AgateRequest } from '#platform/http/agate-request';
import { AnswersBlob, AnswersBlobHead } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { sendBlob } from '#platform/http/send-blob';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { DownloadsService } from './downloads.service';
import { SentLog } from './sent-log';

/** The other end of a download URL. The ticket in the path is the entire credential: installers send nothing else. */
@ApiTags('Install')
@ApiParam({ name: 'ticket', type: 'string', description: 'The entire credential; it ends after half an hour.' })
@ApiParam({ name: 'file_name', type: 'string', description: 'For people; it may be anything.' })
@Controller('download/:ticket/:file_name')
export class DownloadsController {
  constructor(
    private readonly downloads: DownloadsService,
    private readonly sent: SentLog,
  ) {}

  @Head()
  @Access({ public: true })
  @Limit('page')
  @Errors('not_found')
  @AnswersBlobHead('Look at what GET would send; costs nothing')
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
  @Errors('not_found', 'range_not_satisfiable')
  @AnswersBlob('Download the artifact of a ticket, whole or in ranges')
  get(
    @Ctx() ctx: RequestContext,
    @Req() request: AgateRequest,
    @Res() response: Response,
    @Param('ticket') ticket: string,
  ): Promise<void> {
    return this.send(ctx, request, response, ticket);
  }

  private async send(ctx: RequestContext, request: AgateRequest, response: Response, ticket: string): Promise<void> {
    const device = deviceFamilyOf(request.get('user-agent'));
    const download = await this.downloads.open(ctx, ticket, device);
    const delivered = await sendBlob(request, response, download);
    if (delivered) this.sent.add(download.ticketId, delivered);
  }
}
