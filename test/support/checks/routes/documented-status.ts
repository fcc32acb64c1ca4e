import { type INestApplication } from '@nestjs/common';
import { type DeclaredRoute } from '#app/routes';
import { OpenApiConformance } from './openapi-conformance';

/**
 * The status with which each route confirms its success to a client that requests JSON, as the OpenAPI document says. Null when the
 * document has none or several.
 */
export class DocumentedStatus {
  private readonly statuses: ReadonlyMap<string, number | null>;

  constructor(app: INestApplication) {
    this.statuses = new Map(
      new OpenApiConformance(app).operations.map(({ method, path, operation }) => {
        const successes = Object.entries(operation.responses)
          .filter(([status, { content }]) => status.startsWith('2') && !isHtmlOnly(content))
          .map(([status]) => Number(status));
        return [`${method} ${path}`, successes.length === 1 ? successes[0]! : null];
      }),
    );
  }

  of(route: Pick<DeclaredRoute, 'method' | 'template'>): number | null {
    return this.statuses.get(`${route.method} ${route.template}`) ?? null;
  }
}

const isHtmlOnly = (content?: object): boolean => content !== undefined && Object.keys(content).join() === 'text/html';
