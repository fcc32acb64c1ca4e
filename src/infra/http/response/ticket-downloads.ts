import { applyDecorators, Get, Head, Param, Req, Res } from '@nestjs/common';
import { ApiParam, type ApiParamOptions } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { type ErrorCase } from '#kernel/errors/catalogue';
import { Access } from '#infra/http/access';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { Limit } from '#infra/rate-limit/limits';
import { ApiBlob, ApiBlobHead, Errors } from './api-responses';

interface TicketDownloadsOptions {
  /** The summaries of the two operations. */
  readonly head: string;
  readonly get: string;
  /** The errors of `GET` besides those of every download. */
  readonly errors?: readonly ErrorCase[];
  readonly params: readonly ApiParamOptions[];
}

/**
 * The routes of a controller whose path ends with a `:ticket`, which is the entire credential: the headers of the file and the file. Each
 * call returns another class, because the descriptions of operations are stored on its methods.
 */
export function TicketDownloads({ head, get, errors = [], params }: TicketDownloadsOptions) {
  @applyDecorators(...params.map((param) => ApiParam(param)))
  abstract class TicketDownloadRoutes {
    /** Sends the file of the ticket, or only its headers to `HEAD`. @throws AppError not_found */
    protected abstract send(
      ctx: RequestContext,
      request: AppRequest,
      response: Response,
      ticket: string,
    ): Promise<void>;

    @Head()
    @Access({ public: true })
    @Limit('download-bytes')
    @Errors('not_found')
    @ApiBlobHead(head)
    head(
      @Ctx() ctx: RequestContext,
      @Req() request: AppRequest,
      @Res() response: Response,
      @Param('ticket') ticket: string,
    ): Promise<void> {
      return this.send(ctx, request, response, ticket);
    }

    @Get()
    @Access({ public: true })
    @Limit('download-bytes')
    @Errors('not_found', 'range_not_satisfiable', ...errors)
    @ApiBlob(get)
    get(
      @Ctx() ctx: RequestContext,
      @Req() request: AppRequest,
      @Res() response: Response,
      @Param('ticket') ticket: string,
    ): Promise<void> {
      return this.send(ctx, request, response, ticket);
    }
  }
  return TicketDownloadRoutes;
}
