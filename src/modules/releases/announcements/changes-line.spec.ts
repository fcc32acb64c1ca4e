import { changesLine, type NoticedChanges } from './changes-line';

const NONE: NoticedChanges = { sizeBytes: null, permissions: null, minOsVersion: null };
const SINCE = { platform: 'ios', version: '1.3', buildNumber: '41' } as const;
const line = (changes: Partial<NoticedChanges>, since: Parameters<typeof changesLine>[1] = SINCE) =>
  changesLine({ ...NONE, ...changes }, since, 'en');

describe('changesLine', () => {
  it('names the size, the new permissions and the lowest system, in both languages', () => {
    const changes: NoticedChanges = {
      sizeBytes: { from: 20_000_000, to: 23_140_000 },
      permissions: { added: ['NSCameraUsageDescription', 'NSPhotoLibraryAddUsageDescription'], removed: ['NSFaceID'] },
      minOsVersion: { from: '15.0', to: '16.0' },
    };
    expect(changesLine(changes, SINCE, 'en')).toBe(
      'Changed since 1.3 (41): 3.1 MB larger; new permissions: Camera, Photo Library Add; needs iOS 16.0 (before: 15.0).',
    );
    expect(changesLine(changes, SINCE, 'de')).toBe(
      'Geändert seit 1.3 (41): 3,1 MB größer; neue Berechtigungen: Camera, Photo Library Add; benötigt iOS 16.0 (bisher: 15.0).',
    );
  });

  it('is null when testers would notice no change', () => {
    expect(line({})).toBeNull();
    expect(line({ sizeBytes: { from: 1_000_000, to: 1_049_999 } })).toBeNull();
    expect(line({ permissions: { added: [], removed: ['android.permission.CAMERA'] } })).toBeNull();
    expect(line({ minOsVersion: { from: '15.0', to: null } })).toBeNull();
  });

  it('says that a build is smaller, and leaves out unknown values', () => {
    const since = { platform: 'android', version: '2.0', buildNumber: null } as const;
    expect(line({ sizeBytes: { from: 12_000_000, to: 1_000_000 } }, since)).toBe('Changed since 2.0: 11 MB smaller.');
    expect(line({ minOsVersion: { from: null, to: '8.0' } }, since)).toBe('Changed since 2.0: needs Android 8.0.');
  });

  // red when: a package with hundreds of permissions makes a mail of hundreds of lines
  it('names five permissions, and shortens long ones', () => {
    const added = ['android.permission.CAMERA', `com.example.${'x'.repeat(200)}`, 'C', 'D', 'E', 'F', 'G'];
    const text = line({ permissions: { added, removed: [] } })!;
    expect(text).toContain('new permissions: CAMERA, com.example.xxx');
    expect(text).toMatch(/x…, C, D, E and 2 more\.$/);
    expect(text.length).toBeLessThan(200);
  });
});
