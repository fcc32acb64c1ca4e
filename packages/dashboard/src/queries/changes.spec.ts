import { isConcernedByAny } from './changes';
import { keyOf } from './keys';

const ORGANIZATION = 'organization-1';
const PROJECT = 'project-1';

const isConcerned = (key: readonly unknown[], event: { type: string; build_id?: string; channel_id?: string }) =>
  isConcernedByAny(key, [{ project_id: PROJECT, ...event }], ORGANIZATION);

describe('a change', () => {
  it('affects every query of its project, and none of another project', () => {
    expect(isConcerned(keyOf('builds', PROJECT), { type: 'build.uploaded' })).toBe(true);
    expect(isConcerned(keyOf('builds', 'project-2'), { type: 'build.uploaded' })).toBe(false);
  });

  it.each([
    ['build.deleted', keyOf('build-before', 'build-2')],
    ['release.promoted', keyOf('recipients', 'build-2', 'channel-2')],
    ['tester.subscribed', keyOf('subscribers', 'channel-2', 5)],
    ['member.removed', keyOf('project-members', 'project-2')],
  ])('%s affects %j, whose key contains none of its ids', (type, key) => {
    expect(isConcerned(key, { type })).toBe(true);
  });

  it('to the content of a project affects the list of projects, and nothing else of the organization', () => {
    expect(isConcerned(keyOf('projects', ORGANIZATION, ''), { type: 'build.uploaded' })).toBe(true);
    expect(isConcerned(keyOf('members', ORGANIZATION), { type: 'build.uploaded' })).toBe(false);
    expect(isConcerned(keyOf('members', ORGANIZATION), { type: 'member.joined' })).toBe(true);
  });

  it('that deletes an object affects lists, but not the object, which no longer exists', () => {
    const deletion = { type: 'channel.deleted', channel_id: 'channel-1' };
    expect(isConcerned(keyOf('channels', PROJECT), deletion)).toBe(true);
    expect(isConcerned(keyOf('build', 'build-1'), deletion)).toBe(true);
    expect(isConcerned(keyOf('channel', 'channel-1'), deletion)).toBe(false);
  });

  it('of roles affects the session, which has the roles of the developer', () => {
    expect(isConcerned(keyOf('session'), { type: 'member.roles_changed' })).toBe(true);
    expect(isConcerned(keyOf('session'), { type: 'member.joined' })).toBe(false);
  });
});
