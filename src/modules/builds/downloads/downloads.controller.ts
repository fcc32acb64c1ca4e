import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { deviceFamilyOf } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { sendBlob } from '#infra/http/response/blob-response';
import { TicketDownloads } from '#infra/http/response/ticket-downloads';
import { DOWNLOADS_DOCS } from '../builds.docs';
import { DownloadsService } from './downloads.service';
import { DownloadProgressRecorder } from './log/download-progress-recorder';

/** Serves download URLs. The ticket in the path is the entire credential, because installers send no other. */
@ApiTags('Install')
@Describe(DOWNLOADS_DOCS)
@Controller('download/:ticket/:file_name')
export class DownloadsController extends TicketDownloads({
  head: 'Get the headers of the download; costs nothing',
  get: 'Download the artifact of a ticket, whole or in ranges',
  errors: ['prepaid_credit_exhausted', 'spend_cap_exceeded'],
  params: [
    { name: 'file_name', type: 'string', description: 'For display only. Any name is accepted.' },
    { name: 'ticket', type: 'string', description: 'The entire credential. It expires after half an hour.' },
  ],
}) {
  constructor(
    private readonly downloads: DownloadsService,
    private readonly progress: DownloadProgressRecorder,
  ) {
    super();
  }

  protected async send(ctx: RequestContext, request: AppRequest, response: Response, ticket: string): Promise<void> {
    if (await this.sendCached(ctx, request, response, ticket)) return;
    const device = deviceFamilyOf(request.get('user-agent'));
    const download = await this.downloads.open(ctx, ticket, device);
    const delivered = await sendBlob(request, response, download);
    if (delivered) this.progress.add(download.ticketId, delivered);
  }

  /**
   * Sends bytes for a ticket that an earlier request opened, without reading it again.
   * @returns false when nothing was sent and the ticket must be read: it is unknown or has ended, its artifact has moved, or the response
   * has no bytes.
   */
  private async sendCached(
    ctx: RequestContext,
    request: AppRequest,
    response: Response,
    ticket: string,
  ): Promise<boolean> {
    // Responses without bytes are not counted, so they would not detect that the ticket has ended.
    if (request.method !== 'GET' || request.headers['if-none-match'] !== undefined) return false;
    try {
      const download = await this.downloads.openCached(ctx, ticket);
      if (!download) return false;
      const delivered = await sendBlob(request, response, download);
      if (delivered) this.progress.add(download.ticketId, delivered);
      return true;
    } catch (error) {
      if (response.headersSent || !(error instanceof AppError)) throw error;
      response.removeHeader('Content-Range');
      return false;
    }
  }
}
