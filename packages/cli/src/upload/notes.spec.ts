import { cutNotes } from './notes';

describe('cutNotes', () => {
  it('keeps notes of 5,000 UTF-16 units', () => {
    for (const notes of ['x'.repeat(5_000), '🔑'.repeat(2_500)]) expect(cutNotes(notes)).toBe(notes);
  });

  // red when: the cut leaves half of a character, which the service rejects
  it('cuts longer notes after a whole character', () => {
    expect(cutNotes('x'.repeat(5_001))).toBe('x'.repeat(5_000));
    expect(cutNotes(`x${'🔑'.repeat(2_500)}`)).toBe(`x${'🔑'.repeat(2_499)}`);
  });
});
