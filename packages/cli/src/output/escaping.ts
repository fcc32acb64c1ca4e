/** Encodes the message of a workflow command of GitHub, whose lines end at a line break. */
export const githubData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Encodes a property of a workflow command of GitHub. */
export const githubProperty = (text: string): string => githubData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Encodes the message of a logging command of Azure Pipelines. */
export const azureData = (text: string): string =>
  text.replaceAll('%', '%AZP25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Encodes a property of a logging command of Azure Pipelines. */
export const azureProperty = (text: string): string => azureData(text).replaceAll(']', '%5D').replaceAll(';', '%3B');

/** Encodes a value of a service message of TeamCity. */
export const teamCityValue = (text: string): string =>
  text
    .replaceAll(/[|'[\]]/g, (character) => `|${character}`)
    .replaceAll('\n', '|n')
    .replaceAll('\r', '|r')
    .replaceAll(/[^\0-\x7f]/g, (unit) => `|0x${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Characters that HTML and Markdown keep as they are. Parentheses mean nothing without brackets before them. */
const PLAIN = /[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}\u200d .,/()-]/gu;

/**
 * Text for Markdown in which nothing is markup, a link, or a mention. Every other character becomes an entity; line breaks become spaces.
 */
export const markdownText = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(PLAIN, (character) => (character === '@' ? '&#64;&#8203;' : `&#${character.codePointAt(0)};`));

/** Text as code within a line of Markdown. Hosts find no mentions and no issue numbers in it. */
export const markdownCode = (text: string): string => `<code>${markdownText(text)}</code>`;

/** A block of Markdown that shows the text as it is. */
export function markdownBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.replaceAll(/\r\n?/g, '\n').trimEnd()}\n${fence}`;
}

/** The starts of commands that CIs find in the output of a step. GitHub finds the first only at the start of a line. */
const AT_LINE_START = /^([^\S\n]*):(?=:)/gm;
const ANYWHERE = /##(?=\w*\[)/g;

/** Text for a log, in which a CI finds no command. */
export const textWithoutCommands = (text: string): string =>
  text.replaceAll(AT_LINE_START, '$1:\u200b').replaceAll(ANYWHERE, '#\u200b#');

/** The same JSON, in which a CI finds no command. */
export const jsonWithoutCommands = (json: string): string => json.replaceAll(ANYWHERE, '\\u0023#');
