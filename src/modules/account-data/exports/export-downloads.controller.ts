import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { sendBlob } from '#infra/http/response/blob-response';
import { TicketDownloads } from '#infra/http/response/ticket-downloads';
import { DataExportArchives } from './data-export-archives';
import { EXPORT_DOWNLOADS_DOCS } from './data-exports.docs';

/** Serves the archives of exports. The ticket in the path is the entire credential. */
@ApiTags('Developer account')
@Describe(EXPORT_DOWNLOADS_DOCS)
@Controller('exports/:ticket')
export class ExportDownloadsController extends TicketDownloads({
  head: 'Get the headers of the archive of an export',
  get: 'Download the archive of an export',
  params: [{ name: 'ticket', type: 'string', description: 'The entire credential. It expires after a day.' }],
}) {
  constructor(private readonly archives: DataExportArchives) {
    super();
  }

  protected async send(ctx: RequestContext, request: AppRequest, response: Response, ticket: string): Promise<void> {
    await sendBlob(request, response, await this.archives.open(ctx, ticket));
  }
}
