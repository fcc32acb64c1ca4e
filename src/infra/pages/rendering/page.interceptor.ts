import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { HtmlPage } from './html-page';
import { placeOf } from '../messages/locale';
import { pageHeaders } from './page-headers';
import { PageRenderer } from './page-renderer';

/** Turns an `HtmlPage` that a route answers into the document, with the headers of every page. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((answer: unknown) => {
        if (!(answer instanceof HtmlPage)) return answer;
        const http = execution.switchToHttp();
        const response = http.getResponse<Response>();
        response.removeHeader('X-Frame-Options');
        response.status(answer.status).set(pageHeaders(answer.framedBy));
        return this.renderer.render(answer.template, answer.view, placeOf(http.getRequest<Request>()));
      }),
    );
  }
}
