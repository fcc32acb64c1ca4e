export { DEVICES_FILES } from './devices.account-data';
export { type Device, MAX_DEVICE_NAME, type StoredDevice, willBeMailed } from './device';
export { type DeviceFilter, devicesList, DeviceViews, type ShownDevice } from './device-views';
export { DevicesModule } from './devices.module';
export { DevicesService } from './devices.service';
export { modelOf } from './models';
export { DeviceRegistrationsService } from './registration/device-registrations.service';
