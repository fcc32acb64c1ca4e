import { build as german } from '../../packages/dashboard/src/words/de/build';
import { build as english } from '../../packages/dashboard/src/words/en/build';
import { messagesFor } from '#infra/pages/messages/messages';

/** Every warning that a build can have: those that the install page explains, and the one that it says in its own words. */
const CODES = [...Object.keys(messagesFor('en').install.warnings), 'devices_missing'].sort();

// red when: the dashboard shows the English message of a warning, or its code
describe('the words of the dashboard', () => {
  it('explain every warning in German', () => {
    expect(Object.keys(german.warning.texts).sort()).toEqual(expect.arrayContaining(CODES));
  });

  it.each([
    ['English', english],
    ['German', german],
  ])('name every warning in %s', (_, { warning }) => {
    expect(Object.keys(warning.names).sort()).toEqual(expect.arrayContaining(CODES));
  });
});
