import { type Request } from 'express';
import { messagesOf, pageNavigationOf } from './locale';

const requestOf = (originalUrl: string, language = 'en', method = 'GET'): Request =>
  ({
    method,
    originalUrl,
    query: Object.fromEntries(new URLSearchParams(originalUrl.split('?')[1])),
    get: () => language,
  }) as unknown as Request;

describe('messagesOf', () => {
  it.each([
    ['/install/t', 'de-AT, en;q=0.5', 'de'],
    ['/install/t', 'fr', 'en'],
    ['/install/t?lang=de', 'en', 'de'],
    ['/install/t?lang=en', 'de', 'en'],
    ['/install/t?lang=xx', 'de', 'de'],
    ['/install/t?lang=__proto__', 'de', 'de'],
  ])('chooses, for %s with Accept-Language: %s, the language %s', (url, language, expected) => {
    expect(messagesOf(requestOf(url, language)).languageTag).toBe(expected);
  });

  it('ignores a repeated lang parameter', () => {
    const request = { ...requestOf('/'), query: { lang: ['de', 'en'] } } as unknown as Request;
    expect(messagesOf(request).languageTag).toBe('en');
  });
});

describe('pageNavigationOf', () => {
  it('links to the page in the other languages and keeps the rest of the query', () => {
    expect(pageNavigationOf(requestOf('/install/t?device=ipad&token=a%26b', 'de')).languages).toEqual([
      { tag: 'en', name: 'English', href: '?device=ipad&token=a%26b&lang=en' },
    ]);
    expect(pageNavigationOf(requestOf('/install/t?lang=de')).languages).toEqual([
      { tag: 'en', name: 'English', href: '?lang=en' },
    ]);
  });

  // red when: the path of the request is written into the link
  it('never links to another host', () => {
    expect(pageNavigationOf(requestOf('//evil.example/install?x=1')).languages[0]?.href).toBe('?x=1&lang=de');
  });

  it('offers no other language for the response to a POST', () => {
    expect(pageNavigationOf(requestOf('/install/t', 'en', 'POST')).languages).toEqual([]);
  });

  it('adds a chosen language to other links, but not the language of the browser', () => {
    const chosen = pageNavigationOf(requestOf('/install/t?lang=de'));
    expect(chosen.withLanguage('/install/t')).toBe('/install/t?lang=de');
    expect(chosen.withLanguage('/install/t?device=ipad')).toBe('/install/t?device=ipad&lang=de');
    expect(pageNavigationOf(requestOf('/install/t', 'de')).withLanguage('/install/t')).toBe('/install/t');
  });
});
