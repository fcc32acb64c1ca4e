// The requests of `bench large`: every GET of the OpenAPI document, and each list with each of its filters.
import { CONSTANT, FILTERS, PARAMETERS, SKIPPED } from './parameters.mjs';

const SCOPE = ['organization_id', 'project_id'];
/** Parameters of lists that are not filters. */
const PAGING = ['limit', 'cursor'];
const PAGE = 50;

/** @returns the requests of a document, and the routes and parameters for which there is no value: each needs an entry. */
export function requestsOf({ paths }, subject) {
  const requests = [];
  const missing = [];
  for (const [path, { get: operation, parameters: shared = [] }] of Object.entries(paths)) {
    if (!operation || path in SKIPPED) continue;
    const parameters = [...shared, ...(operation.parameters ?? [])];
    const own = { ...subject.parameters, developer_id: subject.member, ...PARAMETERS[path]?.(subject) };
    const query = parameters.filter(({ in: place }) => place === 'query');
    const isNeeded = ({ name, required }) => required || (SCOPE.includes(name) && !FILTERS[`${path} ${name}`]);
    const needed = [...parameters.filter(({ in: place }) => place === 'path'), ...query.filter(isNeeded)];
    for (const { name } of needed) if (own[name] === undefined) missing.push(`${path} {${name}}`);
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(own[name]));
    const base = Object.fromEntries(query.filter(isNeeded).map(({ name }) => [name, own[name]]));
    const add = (title, values = {}) =>
      requests.push({
        title,
        path: `${filled}?${new URLSearchParams({ ...base, ...values })}`,
        isFiltered: title !== path,
      });
    add(path);
    // Without a limit, the audit feed answers with the whole day.
    if (query.some(({ name }) => name === 'cursor')) {
      add(`${path}, page 2`, { limit: PAGE });
      requests.push({ ...requests.pop(), isFiltered: false, isSecond: true });
    }
    const filters = query.filter((each) => !isNeeded(each) && !PAGING.includes(each.name));
    for (const { name, schema } of filters) {
      if (CONSTANT.some((pattern) => pattern.test(`${path} ${name}`))) continue;
      const cases = (FILTERS[`${path} ${name}`] ?? FILTERS[name] ?? ofSchema(name, schema))?.(subject);
      if (!cases) missing.push(`${path}?${name}`);
      for (const [kind, value] of Object.entries(cases ?? {}))
        add(`${path}, ${name}: ${kind}`, typeof value === 'object' ? value : { [name]: value });
    }
  }
  return { requests, missing };
}

/** A boolean has two cases. */
const ofSchema = (name, schema) =>
  schema?.type === 'boolean' ? () => ({ yes: { [name]: true }, no: { [name]: false } }) : undefined;
