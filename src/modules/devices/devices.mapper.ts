import { devicePlatformOf } from './device';
import { type ShownDevice } from './device-views';
import { type DeviceResponse } from './devices.dto';
import { modelOf } from './models';

/** @param udid null when the caller did not request it. */
export const toDeviceResponse = (device: ShownDevice, udid: string | null): DeviceResponse => ({
  id: device.id,
  organization_id: device.organizationId,
  project_id: device.projectId,
  tester_id: device.testerId,
  tester_email: device.tester?.email ?? null,
  tester_name: device.tester?.name ?? null,
  name: device.name,
  platform: devicePlatformOf(device),
  product: device.product,
  model: modelOf(device.product),
  os_version: device.osVersion,
  udid,
  provisioned: device.provisioned,
  registered_at: device.registeredAt?.toISOString() ?? null,
  included_at: device.includedAt?.toISOString() ?? null,
  created_at: device.createdAt.toISOString(),
});
