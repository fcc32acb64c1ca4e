import { type ChannelResponse } from '@agate/client';
import { type Context } from '../context';
import { findChannel } from './channels';

/** A context of a project with channels of these names, the newest first. The id of each is its place. */
const projectWith = (...names: readonly string[]): Context => {
  const items = names.map((name, index) => ({ id: String(index), name }) as ChannelResponse);
  const client = { request: () => Promise.resolve({ items, next_cursor: null }) };
  return { client: () => Promise.resolve(client), scope: () => Promise.resolve({}) } as unknown as Context;
};

describe('A channel by its name', () => {
  it('is found in any case', async () => {
    await expect(findChannel(projectWith('QA', 'Beta'), 'beta')).resolves.toMatchObject({ name: 'Beta' });
  });

  // red when: the first name that differs only in case is taken
  it('is the one with exactly this name when others differ in case only', async () => {
    await expect(findChannel(projectWith('beta', 'Beta'), 'Beta')).resolves.toMatchObject({ name: 'Beta' });
  });

  it('is rejected when several differ from it in case only', async () => {
    await expect(findChannel(projectWith('beta', 'Beta'), 'BETA')).rejects.toThrow(
      'Several channels have the name "BETA": "beta", "Beta". Write the name in the right case, or use the id of the channel.',
    );
  });

  it('is rejected when the project has none', async () => {
    await expect(findChannel(projectWith('Beta'), 'QA')).rejects.toThrow('There is no channel "QA".');
  });
});
