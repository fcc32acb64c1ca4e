import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { HelpSearch, shownQuery } from './help-search';

const ENTRIES = [
  { id: '/help/installing#profile_expired', title: 'profile_expired', page: 'Installing', text: 'the profile' },
  { id: '/help/mail#mail_url', title: 'MAIL_URL', page: 'Mail', text: 'the mail server, and a certificate' },
  {
    id: '/help/configuration#captcha',
    title: 'CAPTCHA_TOKEN_SECONDS',
    page: 'Variables',
    text: 'how long a token lasts',
  },
  {
    id: '/help/dashboard#tokens',
    title: 'Tokens',
    page: 'The dashboard',
    text: 'a token for CI, and how to revoke it',
  },
  { id: '/help/decisions/0007', title: 'Mail server', page: 'Mail server', text: 'why mail' },
  ...Array.from({ length: 100 }, (_, at) => ({ id: `/help/x#${at}`, title: `Part ${at}`, page: 'X', text: 'common' })),
].map((entry) => ({ ...entry, excerpt: entry.text }));

function indexOf(entries: readonly object[]): string {
  const index = new MiniSearch({ fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'excerpt'] });
  index.addAll(entries);
  return JSON.stringify(index);
}

describe('HelpSearch', () => {
  let search: HelpSearch;
  beforeAll(async () => {
    search = await HelpSearch.load(indexOf(ENTRIES));
  });
  const first = (query: string): string | undefined => search.find(query)[0]?.address;

  it.each([
    ['profile_expired', '/help/installing#profile_expired'],
    ['PROFILE expired', '/help/installing#profile_expired'],
    ['profil', '/help/installing#profile_expired'],
    ['certifcate', '/help/mail#mail_url'],
    ['MAIL_URL', '/help/mail#mail_url'],
  ])('finds what %s means', (query, address) => {
    expect(first(query)).toBe(address);
  });

  it('returns all that is shown of a part', () => {
    expect(search.find('mail_url')[0]).toEqual({
      address: '/help/mail#mail_url',
      title: 'MAIL_URL',
      page: 'Mail',
      excerpt: 'the mail server, and a certificate',
      terms: ['mail', 'url'],
    });
  });

  it('finds parts with some of the words when none has all', () => {
    expect(first('profile nonsense')).toBe('/help/installing#profile_expired');
  });

  // red when: the list of variables comes before the page that explains
  it('shows guides before reference, unless a name of the reference is looked for', () => {
    expect(first('token')).toBe('/help/dashboard#tokens');
    expect(first('CAPTCHA_TOKEN_SECONDS')).toBe('/help/configuration#captcha');
  });

  it('shows what users look for before reasons of design', () => {
    expect(search.find('mail').map(({ address }) => address)).toEqual(['/help/mail#mail_url', '/help/decisions/0007']);
  });

  // red when: the results have no limit, or a query of punctuation or 10,000 characters throws
  it('has a bounded answer to every query', () => {
    expect(search.find('common')).toHaveLength(20);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (query) => {
        expect(search.find(shownQuery(query)).length).toBeLessThanOrEqual(20);
      }),
    );
  });
});

describe('shownQuery', () => {
  it.each([
    [undefined, ''],
    ['  mail  ', 'mail'],
    [['one', 'two'], 'one'],
  ])('reads the parameter %j', (given, query) => {
    expect(shownQuery(given)).toBe(query);
  });

  it('cuts a long text', () => {
    expect(shownQuery('x'.repeat(10_000))).toBe('x'.repeat(100));
  });
});
