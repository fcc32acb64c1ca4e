import { type ProjectScope } from '#kernel/scope/scope';

/** A named slot holding a sequence of releases (specification §2). */
export interface Channel extends ProjectScope {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A channel with its install link. */
export interface LinkedChannel extends Channel {
  readonly installUrl: string;
}
