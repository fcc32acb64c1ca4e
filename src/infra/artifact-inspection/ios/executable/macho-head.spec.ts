import { CPU, executable, fatExecutable } from '../../../../../test/support/artifacts/macho-writer';
import { readMachoHead, sliceOffsets } from './macho-head';

const ARM = '0a1b2c3d-0000-4000-8000-1234567890ab';
const INTEL = '11111111-2222-3333-4444-555555555555';

describe('readMachoHead', () => {
  it('reads the UUID in lower case', () => {
    expect(readMachoHead(executable(ARM.toUpperCase()))?.uuid).toBe(ARM);
    expect(readMachoHead(executable(ARM, { bits: 32 }))?.uuid).toBe(ARM);
  });

  it('reads the processor, the encryption, the platform and the place of the signature', () => {
    const code = Buffer.alloc(10);
    const signature = Buffer.alloc(20);
    const options = { cpu: CPU.arm64, fileType: 2, platform: 2, encrypted: true, code, signature };
    const bytes = executable(ARM, options);
    expect(readMachoHead(bytes)).toEqual({
      cpu: CPU.arm64,
      isLoaded: true,
      uuid: ARM,
      signature: { offset: bytes.length - 20, length: 20 },
      isEncrypted: true,
      isForSimulator: false,
      isComplete: true,
    });
    expect(readMachoHead(executable(ARM, { ...options, encrypted: false }))?.isEncrypted).toBe(false);
    expect(readMachoHead(executable(ARM, { platform: 7 }))).toMatchObject({ isForSimulator: true, isLoaded: false });
  });

  // red when: a missing signature is claimed of an executable whose commands were not all read
  it('says that commands are missing when the start does not contain all of them', () => {
    const bytes = executable(ARM, { fileType: 2 });
    expect(readMachoHead(bytes.subarray(0, 110))).toMatchObject({ signature: null, isComplete: false });
    expect(readMachoHead(executable(ARM, { lies: { commands: 0xffffffff } }))?.isComplete).toBe(false);
  });

  it('reads none from any other or damaged file', () => {
    const thin = executable(ARM, { signature: Buffer.alloc(9), platform: 2, encrypted: true });
    const endless = Buffer.from(thin);
    endless.writeUInt32LE(0, 32 + 4);
    expect(readMachoHead(endless)).toMatchObject({ uuid: null, isComplete: false });
    for (const bytes of [Buffer.alloc(0), Buffer.from('cffaedfe', 'hex'), Buffer.from('#!/bin/sh')])
      expect(readMachoHead(bytes)).toBeNull();
    for (let length = 0; length < thin.length; length += 1)
      expect([undefined, null, ARM]).toContain(readMachoHead(thin.subarray(0, length))?.uuid);
    for (let seed = 0; seed < 500; seed += 1) {
      const mutated = Buffer.from(thin);
      mutated[(seed * 7) % mutated.length] = (seed * 31) % 256;
      expect(() => readMachoHead(mutated)).not.toThrow();
    }
  });
});

describe('sliceOffsets', () => {
  it('reads where the architectures of a fat executable start', () => {
    const thin = executable(ARM);
    expect(sliceOffsets(fatExecutable([thin, executable(INTEL)]))).toEqual([48, 48 + thin.length]);
  });

  it('reads none from other files and from a Java class, which has the same magic number', () => {
    expect(sliceOffsets(executable(ARM))).toEqual([]);
    expect(sliceOffsets(Buffer.from('cafebabe00000041', 'hex'))).toEqual([]);
  });
});
