import { MAX_NOTES, proposedNotes } from './proposed-notes';

const commits = (...subjects: readonly string[]) =>
  subjects.map((subject, at) => ({ sha: `abcdef${at}`, subject, author: null }));

describe('proposed notes', () => {
  it('are the subjects of the commits', () => {
    expect(proposedNotes('', commits('Faster start', '', 'Fix the login', 'Faster start'))).toBe(
      '• Faster start\n• Fix the login',
    );
  });

  // red when: the proposal replaces the text
  it('follow the text that is there', () => {
    expect(proposedNotes('Test the login.\n', commits('Faster start', 'Fix'))).toBe(
      'Test the login.\n\n• Faster start\n• Fix',
    );
  });

  it('are added once', () => {
    const once = proposedNotes('Test the login.', commits('Faster start', 'Fix'));
    expect(proposedNotes(once, commits('Faster start', 'Fix'))).toBe(once);
    expect(proposedNotes(' as typed ', commits(''))).toBe(' as typed ');
  });

  it('have room', () => {
    const long = 'x'.repeat(256);
    const notes = proposedNotes('', commits(...Array.from({ length: 100 }, (_, at) => `${at} ${long}`)));
    expect(notes.length).toBeLessThanOrEqual(MAX_NOTES);
    expect(notes.endsWith(long)).toBe(true);
  });
});
