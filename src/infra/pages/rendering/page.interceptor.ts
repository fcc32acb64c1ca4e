import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { pageNavigationOf } from '../messages/locale';
import { HtmlPage, pageHeaders, RenderedPage } from './html-page';
import { PageRenderer } from './page-renderer';

/** Renders the `HtmlPage` that a route returns, unless it is a `RenderedPage`, and sets the headers of pages. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((result: unknown) => {
        const http = execution.switchToHttp();
        const response = http.getResponse<Response>();
        if (result instanceof RenderedPage) {
          response.set(pageHeaders());
          return result.html;
        }
        if (!(result instanceof HtmlPage)) return result;
        response.removeHeader('X-Frame-Options');
        response.status(result.status).set(pageHeaders(result.framedBy));
        return this.renderer.render(result.template, result.view, pageNavigationOf(http.getRequest<Request>()));
      }),
    );
  }
}
