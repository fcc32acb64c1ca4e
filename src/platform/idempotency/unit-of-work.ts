import { type AgateRequest } from '#platform/http/agate-request';

/** Runs a handler so that its effect and whatever must be stored with it commit together. */
export type UnitOfWork = (handle: () => Promise<unknown>) => Promise<unknown>;

const units = new WeakMap<AgateRequest, UnitOfWork>();

/** How the handler of `request` is to be run: plainly, unless something wants its answer stored with its effect. */
export const unitOfWorkOf = (request: AgateRequest): UnitOfWork => units.get(request) ?? ((handle) => handle());

export const useUnitOfWork = (request: AgateRequest, unit: UnitOfWork): void => {
  units.set(request, unit);
};
