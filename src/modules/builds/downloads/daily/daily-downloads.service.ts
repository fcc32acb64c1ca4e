import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import {
  type DailyDownloads,
  DailyDownloadsRepository,
  type DayRange,
  dayRangeOf,
  daysOf,
  type DownloadFilter,
  MAX_DAYS,
} from './daily-downloads.repository';

/** Counts the downloads of a project by day. */
@Injectable()
export class DailyDownloadsService {
  constructor(private readonly repository: DailyDownloadsRepository) {}

  /** @throws AppError invalid_input for a range that is empty or longer than 366 days. */
  async count(
    ctx: RequestContext,
    scope: ProjectScope,
    requested: Partial<DayRange>,
    filter: DownloadFilter,
  ): Promise<DailyDownloads> {
    const range = dayRangeOf(requested, ctx.clock.now());
    if (!range) throw invalidRange();
    const groups = await this.repository.count(ctx, scope, range, filter);
    const total = groups.find(({ day }) => day === null);
    return {
      ...range,
      downloads: total?.downloads ?? 0,
      testers: total?.testers ?? 0,
      days: daysOf(range).map((day) => {
        const ofDay = groups.filter((group) => group.day === day);
        const whole = ofDay.find((group) => group.deviceFamily === null && group.platform === null);
        return {
          day,
          downloads: whole?.downloads ?? 0,
          testers: whole?.testers ?? 0,
          byDevice: ofDay.flatMap(({ deviceFamily, downloads }) => (deviceFamily ? [{ deviceFamily, downloads }] : [])),
          byPlatform: ofDay.flatMap(({ platform, downloads }) => (platform ? [{ platform, downloads }] : [])),
        };
      }),
    };
  }
}

const invalidRange = (): AppError =>
  AppError.invalidInput(
    'range_invalid',
    `A range of days ends no earlier than it begins and has at most ${MAX_DAYS} days. Change from or to.`,
  );
