import { type Request } from 'express';
import { messagesOf, placeOf } from './locale';

const asks = (originalUrl: string, language = 'en', method = 'GET'): Request =>
  ({
    method,
    originalUrl,
    query: Object.fromEntries(new URLSearchParams(originalUrl.split('?')[1])),
    get: () => language,
  }) as unknown as Request;

describe('the language of a page', () => {
  it.each([
    ['/install/t', 'de-AT, en;q=0.5', 'de'],
    ['/install/t', 'fr', 'en'],
    ['/install/t?lang=de', 'en', 'de'],
    ['/install/t?lang=en', 'de', 'en'],
    ['/install/t?lang=xx', 'de', 'de'],
    ['/install/t?lang=__proto__', 'de', 'de'],
  ])('%s for %s is %s', (url, language, expected) => {
    expect(messagesOf(asks(url, language)).languageTag).toBe(expected);
  });

  it('does not believe a list', () => {
    const request = { ...asks('/'), query: { lang: ['de', 'en'] } } as unknown as Request;
    expect(messagesOf(request).languageTag).toBe('en');
  });
});

describe('placeOf', () => {
  it('offers the other languages, with the rest of the query', () => {
    expect(placeOf(asks('/install/t?device=ipad&token=a%26b', 'de')).languages).toEqual([
      { tag: 'en', name: 'English', href: '?device=ipad&token=a%26b&lang=en' },
    ]);
    expect(placeOf(asks('/install/t?lang=de')).languages).toEqual([{ tag: 'en', name: 'English', href: '?lang=en' }]);
  });

  // red when: the path of the request is written into the link
  it('leads to no other host', () => {
    expect(placeOf(asks('//evil.example/install?x=1')).languages[0]?.href).toBe('?x=1&lang=de');
  });

  it('offers no other language where the page cannot be had again', () => {
    expect(placeOf(asks('/install/t', 'en', 'POST')).languages).toEqual([]);
  });

  it('carries a choice on, and nothing that the browser says anyway', () => {
    const chosen = placeOf(asks('/install/t?lang=de'));
    expect(chosen.keep('/install/t')).toBe('/install/t?lang=de');
    expect(chosen.keep('/install/t?device=ipad')).toBe('/install/t?device=ipad&lang=de');
    expect(placeOf(asks('/install/t', 'de')).keep('/install/t')).toBe('/install/t');
  });
});
