import { type DeviceLoginResponse, type StartedDeviceLoginResponse } from '../dto/device-login.dto';
import { DEVICE_LOGIN_MINUTES, type DeviceLogin, POLL_SECONDS, type StartedDeviceLogin } from './device-login';

/** @param page the address of the page on which a developer enters the code. */
export const toStartedDeviceLoginResponse = (
  { deviceCode, userCode }: StartedDeviceLogin,
  page: string,
): StartedDeviceLoginResponse => ({
  device_code: deviceCode,
  user_code: userCode,
  verification_uri: page,
  verification_uri_complete: `${page}?code=${userCode}`,
  interval: POLL_SECONDS,
  expires_in: DEVICE_LOGIN_MINUTES * 60,
});

export const toDeviceLoginResponse = (login: DeviceLogin): DeviceLoginResponse => ({
  state: login.decision ?? 'pending',
  host: login.host,
  scopes: [...login.scopes],
  address: login.address,
  organization_id: login.organizationId,
  started_at: login.createdAt.toISOString(),
  expires_at: login.expiresAt.toISOString(),
});
