import { type ProjectScope } from '#kernel/context/scope';
import { type AppRequest } from '#infra/http/request/app-request';
import { type ProjectQuery, projectScope } from '#infra/http/dto/scope-query';

/** Where an upload goes, for what comes before its handler. The guards have checked both ids. */
export const projectOf = ({ query }: AppRequest): ProjectScope => projectScope(query as unknown as ProjectQuery);
