import { changesOf, endAfter, type LinkValues, NEW_LINK } from './link-values';

const GUARDED: LinkValues = {
  name: 'Fair',
  access: 'password',
  password: '',
  expires_at: '2026-12-01T18:00',
  max_downloads: '50',
  terms: 'Do not share.',
};

describe('the changes of a link', () => {
  // red when: an unchanged rule is sent, which ends the visits
  it('contain nothing that was not changed', () => {
    expect(changesOf(GUARDED, { ...GUARDED, name: ' Fair ', terms: 'Do not share.\n' })).toEqual({});
    expect(changesOf(GUARDED, { ...GUARDED, name: 'Booth' })).toEqual({ name: 'Booth' });
  });

  it('remove a rule whose field is empty', () => {
    expect(changesOf(GUARDED, { ...GUARDED, name: '', expires_at: '', max_downloads: '', terms: ' ' })).toEqual({
      name: null,
      expires_at: null,
      max_downloads: null,
      terms: null,
    });
  });

  it('contain the password only for the access that has one', () => {
    const typed = { ...NEW_LINK, name: 'Fair', password: 'sunny harbour' };
    expect(changesOf(NEW_LINK, typed)).toEqual({ name: 'Fair' });
    expect(changesOf(NEW_LINK, { ...typed, access: 'password' })).toEqual({
      name: 'Fair',
      access: 'password',
      password: 'sunny harbour',
    });
  });

  it('send the end as an instant', () => {
    const expires_at = '2026-12-24T18:30';
    expect(changesOf(NEW_LINK, { ...NEW_LINK, expires_at })).toEqual({
      expires_at: new Date(expires_at).toISOString(),
    });
  });
});

// red when: days of 24 hours are added, which changes the time of day when the clocks change
it('the end in days has the time of day of now', () => {
  expect(endAfter(14, new Date(2026, 9, 20, 18, 5))).toBe('2026-11-03T18:05');
  expect(endAfter(7, new Date(2026, 11, 28, 0, 0))).toBe('2027-01-04T00:00');
});
