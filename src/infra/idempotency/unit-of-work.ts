import { newId } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';

/** How the effect of a request is made. */
export interface UnitOfWork {
  /** Names the operation to whoever else is asked for a part of it: the same whenever the request comes again with its key. */
  readonly operation: string;
  /**
   * Runs a handler so that its effect and whatever must be stored with it commit together.
   * @param received digest of a form that was read as a stream: a repetition with another one is refused.
   */
  run(handle: () => Promise<unknown>, received?: string): Promise<unknown>;
}

const units = new WeakMap<AppRequest, UnitOfWork>();

/** How the handler of `request` is to be run: plainly, unless something wants its answer stored with its effect. */
export const unitOfWorkOf = (request: AppRequest): UnitOfWork =>
  units.get(request) ?? { operation: newId(), run: (handle) => handle() };

export const useUnitOfWork = (request: AppRequest, unit: UnitOfWork): void => {
  units.set(request, unit);
};
