import { ApiSchema } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  BlankIsAbsent,
  BooleanField,
  BooleanQueryField,
  EnumField,
  IdField,
  IdSetField,
  IntegerField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { ProjectPageQuery, ProjectQuery } from '#infra/http/dto/scope-query';
import { DEVICE_PLATFORMS, type DevicePlatform, MAX_DEVICE_NAME } from './device';

export const MAX_DEVICES_AT_ONCE = 1000;

const PROVISIONED =
  '`true`: only devices in the provisioning profile of the build; `false`: only the others. The build is `build_id`, else the newest one whose profile names devices.';

export class ListDevicesQuery extends ProjectPageQuery {
  @IdField({ optional: true, of: 'tester', description: 'Lists only the devices of this tester.' })
  tester_id?: string;

  @IdField({ optional: true, of: 'build', description: 'The build that `provisioned` is about.' })
  build_id?: string;

  @BlankIsAbsent()
  @BooleanQueryField({ optional: true, example: false, description: PROVISIONED })
  provisioned?: boolean;

  @BlankIsAbsent()
  @BooleanQueryField({
    optional: true,
    example: false,
    description: '`true`: only devices that were marked as registered with Apple; `false`: only the others.',
  })
  registered?: boolean;

  @BlankIsAbsent()
  @EnumField(['udid'], {
    optional: true,
    description:
      '`udid`: with the ids of the devices. They are personal data, so the request is recorded in the audit feed.',
  })
  include?: 'udid';
}

const DEVICE_FORMATS = ['apple', 'csv'] as const;

export class ExportDevicesQuery extends ProjectQuery {
  @BlankIsAbsent()
  @EnumField(DEVICE_FORMATS, {
    optional: true,
    name: 'DeviceFileFormat',
    description:
      '`apple` (default): the text file in which Apple and fastlane register many devices: a header, then id, name and platform, separated by tabs. `csv`: with tester, model and state.',
  })
  format?: (typeof DEVICE_FORMATS)[number];

  @BlankIsAbsent()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @IdSetField({
    optional: true,
    of: 'device',
    min: 1,
    max: 200,
    description: 'Only these devices: the parameter is repeated, or its ids are separated by commas.',
  })
  ids?: string[];

  @IdField({ optional: true, of: 'build', description: 'The build that `provisioned` is about.' })
  build_id?: string;

  @BlankIsAbsent()
  @BooleanQueryField({ optional: true, example: false, description: PROVISIONED })
  provisioned?: boolean;

  @BlankIsAbsent()
  @BooleanQueryField({
    optional: true,
    example: false,
    description: '`false`: only devices that were not marked as registered with Apple.',
  })
  registered?: boolean;
}

export class ImportDevicesQuery extends ProjectQuery {
  @BlankIsAbsent()
  @BooleanQueryField({
    optional: true,
    example: false,
    description: '`true`: the file comes from Apple, so its devices are marked as registered.',
  })
  registered?: boolean;

  @BlankIsAbsent()
  @BooleanQueryField({
    optional: true,
    example: false,
    description: '`true`: checks everything and counts the outcomes, but changes nothing.',
  })
  dry_run?: boolean;
}

@ApiSchema({ description: 'Changes of a device. Absent fields stay as they are.' })
export class UpdateDeviceRequest {
  @TextField({
    max: MAX_DEVICE_NAME,
    optional: true,
    nullable: true,
    example: "Tess' iPhone",
    description: 'The name of the device. `null` removes it.',
  })
  name?: string | null;

  @IdField({
    optional: true,
    nullable: true,
    of: 'tester',
    description: 'The tester who uses the device. `null`: none.',
  })
  tester_id?: string | null;
}

@ApiSchema({ description: 'Devices that are registered with Apple.' })
export class MarkRegisteredRequest {
  @IdSetField({ of: 'device', min: 1, max: MAX_DEVICES_AT_ONCE, description: 'The devices. Unknown ids are skipped.' })
  ids: string[];
}

@ApiSchema({ description: 'The number of devices that were marked.' })
export class MarkedRegisteredResponse {
  @IntegerField({ min: 0, example: 2, description: 'The number of devices that were not marked before.' })
  marked: number;
}

@ApiSchema({ description: 'The outcome of an import.' })
export class ImportedDevicesResponse {
  @IntegerField({
    min: 0,
    example: 3,
    description: 'The number of devices that were added or, with `dry_run`, would be.',
  })
  created: number;

  @IntegerField({ min: 0, example: 1, description: 'The number of devices that the project already has.' })
  existing: number;
}

@ApiSchema({ description: 'A device of Apple that a tester uses.' })
export class DeviceResponse {
  @IdField({ of: 'device' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project' })
  project_id: string;

  @IdField({
    of: 'tester',
    nullable: true,
    description: 'The tester who uses it. `null` when it was registered through a link that names none.',
  })
  tester_id: string | null;

  @TextField({ max: 254, nullable: true, example: 'tess@example.com', description: 'The address of the tester.' })
  tester_email: string | null;

  @TextField({ max: 100, nullable: true, example: 'Tess', description: 'The name of the tester.' })
  tester_name: string | null;

  @TextField({ max: MAX_DEVICE_NAME, nullable: true, example: "Tess' iPhone", description: 'The name of the device.' })
  name: string | null;

  @EnumField(DEVICE_PLATFORMS, {
    name: 'DevicePlatform',
    description: 'The platform in files for Apple. iPads, watches and Apple TVs count as `ios`.',
  })
  platform: DevicePlatform;

  @TextField({
    max: 64,
    nullable: true,
    example: 'iPhone15,2',
    description: "Apple's code of the model. `null` when unknown.",
  })
  product: string | null;

  @TextField({
    max: 64,
    nullable: true,
    example: 'iPhone 14 Pro',
    description: 'The name of the model; the code when it is unknown. `null` without a code.',
  })
  model: string | null;

  @TextField({
    max: 64,
    nullable: true,
    example: '21F90',
    description: 'The build of its system when it was registered. `null` when unknown.',
  })
  os_version: string | null;

  @TextField({
    max: 64,
    nullable: true,
    example: null,
    description:
      'The id (UDID) of the device, as its owner stated it. `null` without `include=udid`, and when the service cannot decrypt it.',
  })
  udid: string | null;

  @BooleanField({
    nullable: true,
    example: true,
    description:
      'Whether it is in the provisioning profile of the build: of `build_id`, else of the newest one whose profile names devices. `null` when there is none, or the profile of `build_id` names no devices.',
  })
  provisioned: boolean | null;

  @TimeField({
    nullable: true,
    example: '2026-11-21T09:12:40.002Z',
    description: 'When a member said that it is registered with Apple. `null` before.',
  })
  registered_at: string | null;

  @TimeField({
    nullable: true,
    example: '2026-11-21T10:02:11.731Z',
    description: 'When it was first found in the profile of a build. `null` before.',
  })
  included_at: string | null;

  @TimeField({ description: 'When it was registered in the project.', example: '2026-11-20T18:12:30.551Z' })
  created_at: string;
}

export class DevicePage extends PageOf(DeviceResponse) {}
