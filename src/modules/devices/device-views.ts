import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type ListName, type Page, type PageRequest } from '#kernel/cursor';
import { type StoredDevice } from './device';

export interface DeviceFilter {
  readonly testerId?: string | undefined;
  /** Only these devices. */
  readonly ids?: readonly string[] | undefined;
  /** The build in whose profile devices are looked for. Absent: the newest build that is restricted to devices. */
  readonly buildId?: string | undefined;
  /** Whether the device is in the profile of that build. */
  readonly provisioned?: boolean | undefined;
  readonly registered?: boolean | undefined;
}

/** A device with its tester and the state of a build. */
export interface ShownDevice extends StoredDevice {
  /** The address and name of its tester, null without one. */
  readonly tester: { readonly email: string; readonly name: string | null } | null;
  /** Whether it is in the profile of the build. Null when no build is restricted to devices. */
  readonly provisioned: boolean | null;
}

/** The name of the list of a project's devices, in its cursors. */
export const devicesList = ({ projectId }: ProjectScope): ListName => `devices|${projectId}`;

/** Reads devices with their testers and builds. A read model implements it. */
export abstract class DeviceViews {
  /** One page of the devices that meet the filter, newest first. @throws AppError not_found for an unknown build. */
  abstract list(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: DeviceFilter,
    request: PageRequest,
  ): Promise<Page<ShownDevice>>;
}
