import { type ProjectScope } from '#kernel/context/scope';

/** A device of Apple that testers of a project use. Its owner stated its id (UDID), which is personal data. */
export interface Device extends ProjectScope {
  readonly id: string;
  /** Null when it was registered through a link that names no tester, or imported without one. */
  readonly testerId: string | null;
  /** Apple's code of the model, such as `iPhone15,2`. Null when unknown. */
  readonly product: string | null;
  /** The build of its system when it was registered, such as `21F90`. Null when unknown. */
  readonly osVersion: string | null;
  readonly name: string | null;
  /** When a member said that it is registered with Apple, null before. */
  readonly registeredAt: Date | null;
  /** When it was first found in the profile of a build, null before. */
  readonly includedAt: Date | null;
  readonly createdAt: Date;
}

/** Whether its tester will be mailed when a build includes it: until the first one does. */
export const willBeMailed = ({ testerId, includedAt }: Pick<Device, 'testerId' | 'includedAt'>): boolean =>
  testerId !== null && includedAt === null;

/** A device with the id by which its builds are found. */
export interface StoredDevice extends Device {
  readonly udidDigest: Buffer;
  readonly udidSealed: Buffer;
}

/** The facts about a device that its owner or a file states. */
export interface DeviceFacts {
  readonly udid: string;
  readonly testerId: string | null;
  readonly product: string | null;
  readonly osVersion: string | null;
  readonly name: string | null;
}

export interface DeviceChange {
  readonly name?: string | null | undefined;
  readonly testerId?: string | null | undefined;
}

/** The maximum length of names on Apple's developer site. */
export const MAX_DEVICE_NAME = 50;

export const DEVICE_PLATFORMS = ['ios', 'mac'] as const;
/** The platform of a device in Apple's files. Apple TVs and watches count as `ios`. */
export type DevicePlatform = (typeof DEVICE_PLATFORMS)[number];

export const devicePlatformOf = ({ product }: Pick<Device, 'product'>): DevicePlatform =>
  product?.startsWith('Mac') ? 'mac' : 'ios';
