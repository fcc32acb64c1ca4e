import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DEVICE_FAMILIES, type DeviceFamily } from '#kernel/builds/device';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { BlankIsAbsent, DayField, EnumField, IdField, IntegerField } from '#infra/http/dto/fields';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { type DailyDownloads, type DayOfDownloads } from './daily-downloads.repository';

export class DailyDownloadsQuery extends OrganizationQuery {
  @BlankIsAbsent()
  @DayField({
    optional: true,
    example: '2026-11-14',
    description: 'The first day, in UTC. Default: 30 days up to `to`.',
  })
  from?: string;

  @BlankIsAbsent()
  @DayField({ optional: true, description: 'The last day, in UTC. Default: today.' })
  to?: string;

  @IdField({ optional: true, of: 'build', description: 'Counts only downloads of this build.' })
  build_id?: string;

  @IdField({
    optional: true,
    of: 'channel',
    description: 'Counts only downloads through the link of this channel, or of testers who were reached through it.',
  })
  channel_id?: string;
}

@ApiSchema({ description: 'The downloads with one kind of device.' })
export class DeviceDownloadsResponse {
  @EnumField(DEVICE_FAMILIES, { name: 'DeviceFamily', description: 'The kind of device.' })
  device_family: DeviceFamily;

  @IntegerField({ min: 1, example: 9, description: 'The number of downloads.' })
  downloads: number;
}

@ApiSchema({ description: 'The downloads of builds of one platform.' })
export class PlatformDownloadsResponse {
  @EnumField(PLATFORMS, { name: 'Platform', description: 'The platform of the builds.' })
  platform: Platform;

  @IntegerField({ min: 1, example: 9, description: 'The number of downloads.' })
  downloads: number;
}

@ApiSchema({ description: 'The downloads of a day (UTC).' })
export class DayOfDownloadsResponse {
  @DayField({ description: 'The day, in UTC.' })
  day: string;

  @IntegerField({ min: 0, example: 9, description: 'The number of downloads.' })
  downloads: number;

  @IntegerField({ min: 0, example: 7, description: 'The number of different testers. Anonymous downloads count none.' })
  testers: number;

  @ApiProperty({ type: [DeviceDownloadsResponse], description: 'By kind of device, most downloads first.' })
  by_device: DeviceDownloadsResponse[];

  @ApiProperty({ type: [PlatformDownloadsResponse], description: 'By platform, most downloads first.' })
  by_platform: PlatformDownloadsResponse[];
}

@ApiSchema({ description: 'The downloads of a range of days (UTC).' })
export class DailyDownloadsResponse {
  @DayField({ example: '2026-11-20', description: 'The first day.' })
  from: string;

  @DayField({ example: '2026-11-20', description: 'The last day.' })
  to: string;

  @IntegerField({ min: 0, example: 9, description: 'The number of all downloads.' })
  downloads: number;

  @IntegerField({
    min: 0,
    example: 7,
    description: 'The number of different testers on all days together. Anonymous downloads count none.',
  })
  testers: number;

  @ApiProperty({ type: [DayOfDownloadsResponse], description: 'Every day of the range, in order.' })
  days: DayOfDownloadsResponse[];
}

export const toDailyDownloadsResponse = ({ days, ...range }: DailyDownloads): DailyDownloadsResponse => ({
  ...range,
  days: days.map(toDay),
});

const toDay = ({ byDevice, byPlatform, ...day }: DayOfDownloads): DayOfDownloadsResponse => ({
  ...day,
  by_device: byDevice.map(({ deviceFamily, downloads }) => ({ device_family: deviceFamily, downloads })),
  by_platform: byPlatform.map(({ platform, downloads }) => ({ platform, downloads })),
});
