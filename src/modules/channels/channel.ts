import { type ProjectScope } from '#kernel/context/scope';

/** A named release slot of a project, with a sequence of releases. */
export interface Channel extends ProjectScope {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface ChannelWithUrl extends Channel {
  readonly installUrl: string;
}
