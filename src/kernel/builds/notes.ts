/** What a build says of itself, and its promoter of a release: where one says nothing, testers read the other. In characters. */
export const NOTES_LENGTH = 5000;
