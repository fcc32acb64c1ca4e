import { type WebhookFilter } from '../webhook';
import { passes } from './event-filter';
import { type EventTraits } from './webhook-subjects';

const ALL: WebhookFilter = { channelIds: [], platforms: [], branches: [] };
const UPLOAD: EventTraits = { isOfBuild: true, channelId: null, platform: 'ios', branch: 'release/1.0' };
const PROMOTION: EventTraits = { ...UPLOAD, channelId: 'beta' };
const RENAMED: EventTraits = { isOfBuild: false, channelId: null, platform: null, branch: null };
const CHANNEL: EventTraits = { ...RENAMED, channelId: 'beta' };

describe('passes', () => {
  it.each<readonly [string, Partial<WebhookFilter>, EventTraits, boolean]>([
    ['everything without a filter', {}, UPLOAD, true],
    ['a build of the platform', { platforms: ['ios'] }, UPLOAD, true],
    ['no build of another platform', { platforms: ['android'] }, UPLOAD, false],
    ['no build whose platform is unknown', { platforms: ['ios'] }, { ...UPLOAD, platform: null }, false],
    ['a build of the branch', { branches: ['main', 'release/*'] }, UPLOAD, true],
    ['no build of another branch', { branches: ['main'] }, UPLOAD, false],
    ['no build without a branch', { branches: ['**'] }, { ...UPLOAD, branch: null }, false],
    ['a promotion to the channel', { channelIds: ['alpha', 'beta'] }, PROMOTION, true],
    ['no promotion to another channel', { channelIds: ['alpha'] }, PROMOTION, false],
    ['an upload, which names no channel', { channelIds: ['alpha'] }, UPLOAD, true],
    ['no promotion that fails one of two filters', { channelIds: ['beta'], branches: ['main'] }, PROMOTION, false],
    ['a channel of the filter', { channelIds: ['beta'], platforms: ['android'] }, CHANNEL, true],
    ['no other channel', { channelIds: ['alpha'] }, CHANNEL, false],
    ['an event about neither', { channelIds: ['alpha'], platforms: ['android'], branches: ['x'] }, RENAMED, true],
  ])('lets %s through', (_, filter, traits, expected) => expect(passes({ ...ALL, ...filter }, traits)).toBe(expected));
});
