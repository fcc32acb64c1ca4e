import { type ProjectScope } from '#kernel/context/scope';

/** A named slot holding a sequence of releases (specification §2). */
export interface Channel extends ProjectScope {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A channel with its install link. */
export interface ChannelWithUrl extends Channel {
  readonly installUrl: string;
}
