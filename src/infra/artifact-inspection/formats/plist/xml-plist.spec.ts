import { parse } from 'plist';
import { xmlDocument } from '../../../../../test/support/artifacts/plist-writer';
import { INSPECTION_ERRORS } from '../../inspection-errors';
import { WorkBudget } from '../../limits/work-budget';
import { readPlist } from './plist';
import { type PlistValue } from './plist-value';
import { readXmlPlist } from './xml-plist';

const read = (xml: string): PlistValue => readXmlPlist(xml, new WorkBudget());
/** The library's objects, which are converted to Maps. */
const plain = (value: PlistValue): unknown => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  return Array.isArray(value) ? value.map(plain) : value;
};

describe('readXmlPlist', () => {
  it.each([
    [
      'nested lists',
      '<dict><key>a</key><array><dict/><array></array><string>x</string></array><key>b</key><true/></dict>',
    ],
    ['entities', '<dict><key>a&amp;b</key><string>&lt;&gt;&quot;&apos;&#228;&#x1F600;&amp;lt;</string></dict>'],
    ['sections and comments', '<array><!-- <x> --><string>a<![CDATA[<b>&amp;]]>c<!-- d -->e</string></array>'],
    ['numbers', '<array><integer>42</integer><integer>-7</integer><real>1.5e3</real></array>'],
    ['dates and data', '<array><date>2026-11-23T12:00:00Z</date><data>\n  aGVs\n  bG8=\n</data><data/></array>'],
    ['empty texts', '<dict><key/><string/><key>b</key><string></string></dict>'],
    ['line breaks', '<array>\r\n<string>a\r\nb\rc\n</string>\r\n</array>'],
    ['spaces in tags', '<array ><true /><false></false ></array>'],
  ])('reads %s as the library does', (_, body) => {
    const xml = xmlDocument(body);
    expect(plain(read(xml))).toEqual(parse(xml));
  });

  // red when: the parts of a document type are separated by one space only
  it('reads a prologue of several lines', () => {
    const type =
      '<!DOCTYPE plist\n  PUBLIC "-//Apple//DTD PLIST 1.0//EN"\n  "http://www.apple.com/DTDs/PropertyList-1.0.dtd">';
    expect(read(`<?xml\nversion="1.0"?>\n${type}\n<plist version="1.0"><true/></plist>`)).toBe(true);
  });

  // red when: every file is decoded as UTF-8
  it('is decoded from ISO-8859-1 when its declaration says so', () => {
    const xml = xmlDocument('<dict><key>Name</key><string>Übung</string></dict>').replace('UTF-8', 'iso-8859-1');
    expect(readPlist(Buffer.from(xml, 'latin1'), new WorkBudget()).get('Name')).toBe('Übung');
  });

  it('keeps the key __proto__ as a key', () => {
    expect(read(xmlDocument('<dict><key>__proto__</key><true/></dict>'))).toEqual(new Map([['__proto__', true]]));
  });

  it.each([
    ['a tag that is closed twice', '<string>a</string></string>'],
    ['a tag that another one closes', '<array><string>a</array></string>'],
    ['a tag that is not closed', '<array><true/>'],
    ['a value without a key', '<dict><true/></dict>'],
    ['a key without a value', '<dict><key>a</key></dict>'],
    ['a key outside of a dictionary', '<key>a</key>'],
    ['a tag in a text', '<string>a<true/></string>'],
    ['two values', '<true/><true/>'],
    ['no value', ''],
    ['an unknown entity', '<string>&nbsp;</string>'],
    ['an ampersand', '<string>a & b</string>'],
    ['a code point that does not exist', '<string>&#x110000;</string>'],
    ['an empty number', '<integer/>'],
    ['an unknown tag', '<null/>'],
    ['a tag with an attribute', '<string a="b">x</string>'],
    ['a second property list', '<true/></plist><plist version="1.0"><true/>'],
    ['a comment without an end', '<true/><!-- a'],
  ])('rejects %s', (_, body) => {
    expect(() => read(xmlDocument(body))).toThrow();
  });

  it('rejects a list that is nested deeper than any real one', () => {
    const nested = (depth: number): string => xmlDocument('<array>'.repeat(depth) + '</array>'.repeat(depth));
    expect(read(nested(64))).toHaveLength(1);
    expect(() => read(nested(65))).toThrow(INSPECTION_ERRORS.too_complex);
  });
});
