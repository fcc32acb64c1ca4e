import { type Context } from '../context';
import { cutNotes, notesOf } from './notes';

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

describe('notesOf', () => {
  it('leaves out the control characters of commit messages, which the service rejects, with a warning', async () => {
    const warnings: string[] = [];
    const context = { output: { warn: (text: string) => warnings.push(text) } } as unknown as Context;
    const fromGit = () => Promise.resolve('- one\r\n- \u001b]8;;https://evil.example\u0007two\u009b\r!\tthree');
    await expect(notesOf(context, { notesFromGit: true }, fromGit)).resolves.toBe(
      '- one\r\n- ]8;;https://evil.exampletwo!\tthree',
    );
    expect(warnings).toEqual(['The notes contain control characters, which are left out.']);
  });
});
