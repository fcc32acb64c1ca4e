import { type ProjectScope } from '#kernel/scope/scope';
import { type AgateRequest } from '#platform/http/agate-request';
import { type ProjectQuery } from '#platform/http/parent-query';
import { projectScope } from '#platform/http/scopes';

/** Where an upload goes, for what comes before its handler. The guards have checked both ids. */
export const projectOf = ({ query }: AgateRequest): ProjectScope => projectScope(query as unknown as ProjectQuery);
