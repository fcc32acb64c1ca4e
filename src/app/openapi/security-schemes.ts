import { type DocumentBuilder } from '@nestjs/swagger';

type SecurityScheme = Parameters<DocumentBuilder['addSecurity']>[1];

/** The credentials of the API, by the names that `@Access` refers to. */
export const SECURITY_SCHEMES: Readonly<Record<string, SecurityScheme>> = {
  access_jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `token` of `POST /api/v1/login/email`, valid for ten minutes. Acts with all roles of the developer.',
  },
  session_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'dfdeveloper',
    description:
      'The access JWT of a browser session, set by a login. A state change that another site requested is `403 permission_denied`. An `Authorization` header takes precedence.',
  },
  refresh_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'dfdeveloper_refresh',
    description: 'The refresh token of a browser session, set by a login. Browsers send it only to `/api/v1/login`.',
  },
  project_access_token: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`ag_prj_…`, for CI. Bound to one project, so `organization_id` and `project_id` may be omitted. Needs the project role of the operation.',
  },
  personal_access_token: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`ag_pat_…`, for scripts. Bound to one organization. Needs the scope of the operation, and its developer needs the role.',
  },
  invite_token: {
    type: 'apiKey',
    in: 'query',
    name: 'invite_token',
    description: 'The token of an install link, sent as a part of the path: OpenAPI has no scheme for this.',
  },
};
