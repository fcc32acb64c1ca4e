import { type ProjectSummaryResponse } from '@agate/client';
import { blockedBuilds } from './blocked-builds';

const current = (build_id: string, channel_name: string, installable: boolean) =>
  ({ build_id, channel_name, installable, version: '1.0' }) as ProjectSummaryResponse['current'][number];

describe('the current builds that devices cannot install', () => {
  it('are listed once, with all their channels', () => {
    const all = [current('a', 'Beta', false), current('b', 'Beta', true), current('a', 'Store', false)];
    expect(blockedBuilds({ current: all })).toEqual([
      expect.objectContaining({ build_id: 'a', channels: ['Beta', 'Store'] }),
    ]);
  });
});
