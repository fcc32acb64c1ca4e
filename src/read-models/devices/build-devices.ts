import { type Device } from '#modules/devices';

/** The devices on which a build can be installed. */
export interface BuildDevices {
  /** The number in its profile; null when it is not restricted to devices. */
  readonly provisioned: number | null;
  readonly included: number;
  readonly missing: number;
  /** Null for callers who may not see them. */
  readonly known: readonly KnownDevice[] | null;
}

/** A known device, and whether it is in the profile of a build. */
export interface KnownDevice extends Pick<Device, 'id' | 'testerId' | 'name' | 'product'> {
  readonly included: boolean;
}
