import { cpuMsOf } from '../../../../test/support/load/cpu-time';
import { cleaned, MAX_TEXT_BYTES, OwnText, separated } from './untrusted';

describe('texts of other people', () => {
  it('lose characters that a reader does not see', () => {
    const hidden = [
      '\u202e',
      '\u2066',
      '\u200b',
      '\u0007',
      '\u001b',
      '\u{e0041}',
      '\u{e007f}',
      '\u00ad',
      '\u2028',
      '\ud800',
      '\ufeff',
    ];
    expect(cleaned(`a${hidden.join('')}b\n\tc`)).toBe('ab\n\tc');
  });

  it('are cut at a number of bytes, between characters', () => {
    const text = cleaned('€'.repeat(2_000));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    expect(text).toMatch(/^€+…$/);
  });

  it('move to `untrusted` of their object unless the field holds texts of the service', () => {
    const value = {
      id: 'i',
      platform: 'ios',
      notes: 'n',
      count: 3,
      none: null,
      app: { name: 'a', min_sdk: 5 },
      tags: ['x'],
      items: [{ version: '1' }],
    };
    expect(separated(value)).toEqual({
      id: 'i',
      platform: 'ios',
      count: 3,
      none: null,
      app: { min_sdk: 5, untrusted: { name: 'a' } },
      items: [{ untrusted: { version: '1' } }],
      untrusted: { notes: 'n', tags: ['x'] },
    });
  });

  it('do not contain links that are credentials', () => {
    expect(separated({ id: 'i', install_url: 'https://a/install/x', qr_url: 'q', icon_url: null })).toEqual({
      id: 'i',
    });
  });

  it('have masked addresses unless these are wanted', () => {
    expect(separated({ email: 'ann@example.com', note: 'ask bob@example.com' })).toEqual({
      untrusted: { email: 'a***@example.com', note: 'ask b***@example.com' },
    });
    expect(separated({ email: 'ann@example.com' }, { showAddresses: true })).toEqual({
      untrusted: { email: 'ann@example.com' },
    });
    expect(separated({ note: 'ann@example.com,bob@example.com; @all a@ "eve@example.com" <x@y>' })).toEqual({
      untrusted: { note: 'a***@example.com,b***@example.com; @all a@ "e***@example.com" <x***@y>' },
    });
  });

  // red when: an expression looks for the `@` from each character of a word
  it('of ten thousand characters without a space take milliseconds', async () => {
    const notes = 'x'.repeat(10_000);
    expect(await cpuMsOf(() => separated(Array.from({ length: 50 }, () => ({ notes }))))).toBeLessThan(500);
  });

  it('are ids that the author of an artifact chooses', () => {
    const artifact = { id: 'i', bundle_id: 'com.example.ignore', team_id: 'ABC', build_id: 'b' };
    const shown = { id: 'i', build_id: 'b', untrusted: { bundle_id: 'com.example.ignore', team_id: 'ABC' } };
    expect(separated(artifact)).toEqual(shown);
    expect(separated({ expected_bundle_id: 'x' })).toEqual({ untrusted: { expected_bundle_id: 'x' } });
  });

  it('are not those of the service itself', () => {
    expect(separated({ next: new OwnText('call it again') })).toEqual({ next: 'call it again' });
  });
});
