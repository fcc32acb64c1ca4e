/** Limit of the notes of a build and of a release, in characters. */
export const NOTES_LENGTH = 5000;
