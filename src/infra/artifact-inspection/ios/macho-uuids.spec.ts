import { executable, fatExecutable } from '../../../../test/support/artifacts/macho-writer';
import { machoUuids } from './macho-uuids';

const ARM = '0a1b2c3d-0000-4000-8000-1234567890ab';
const INTEL = '11111111-2222-3333-4444-555555555555';

describe('machoUuids', () => {
  it('reads the UUID of a thin executable, in lower case', () => {
    expect(machoUuids(executable(ARM))).toEqual([ARM]);
    expect(machoUuids(executable(ARM.toUpperCase(), { bits: 32 }))).toEqual([ARM]);
  });

  it('reads the UUID of each architecture of a fat executable', () => {
    expect(machoUuids(fatExecutable([executable(ARM), executable(INTEL)]))).toEqual([ARM, INTEL]);
  });

  // red when: the UUIDs of some architectures are taken for all
  it('reads none when the start of the file does not contain all of them', () => {
    const fat = fatExecutable([executable(ARM), executable(INTEL)]);
    expect(machoUuids(fat.subarray(0, fat.length - 200))).toEqual([]);
  });

  it('reads none from any other or damaged file', () => {
    const thin = executable(ARM);
    const endless = Buffer.from(thin);
    endless.writeUInt32LE(0, 32 + 4);
    const others = [Buffer.alloc(0), Buffer.from('cffaedfe', 'hex'), Buffer.from('#!/bin/sh'), endless];
    for (const bytes of others) expect(machoUuids(bytes)).toEqual([]);
    for (let length = 0; length < thin.length; length += 1)
      expect([[], [ARM]]).toContainEqual(machoUuids(thin.subarray(0, length)));
    expect(machoUuids(Buffer.from('cafebabe00000041', 'hex'))).toEqual([]);
    for (let seed = 0; seed < 500; seed += 1) {
      const mutated = Buffer.from(thin);
      mutated[(seed * 7) % mutated.length] = (seed * 31) % 256;
      expect(() => machoUuids(mutated)).not.toThrow();
    }
  });
});
