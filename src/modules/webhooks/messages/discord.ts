import { type ChatMessage } from './chat-message';
import { escapeWithin } from './escaping';

const TITLE_LENGTH = 256;

/** The colours of the product, as numbers. */
const PETROL = 0x0b5f68;
const OCHRE = 0x6a4703;

/** An address stays as it is, because a backslash would become a part of it. It is shown in full, so it hides nothing. */
const ADDRESS = /https?:\/\/[\w./?=&%#~+:-]+/g;
const MARKS = /[\\*_~`|[\]<>@]|^[#-]/gm;

/** Puts a backslash before the marks of Discord's Markdown, and an invisible space after `@`, which begins a mention. */
const escapeMarks = (text: string): string =>
  text.replace(MARKS, (character) => (character === '@' ? '@\u200b' : `\\${character}`));

function escape(text: string): string {
  let escaped = '';
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    escaped += escapeMarks(text.slice(from, index)) + address;
    from = index + address.length;
  }
  return escaped + escapeMarks(text.slice(from));
}

/** The message of a webhook of Discord: an embed. `allowed_mentions` prevents notifications of people. */
export function discordMessage(message: ChatMessage): object {
  const { title, facts, notes, buttons, origin, isWarning, timestamp } = message;
  const links = buttons.map(({ label, url }) => `[${label}](${url.replaceAll(')', '%29')})`).join(' · ');
  const description = [notes === null ? '' : escape(notes), links].filter(Boolean).join('\n\n');
  const [first] = buttons;
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escapeWithin(title, TITLE_LENGTH, escape),
        ...(first && { url: first.url }),
        ...(description !== '' && { description }),
        color: isWarning ? OCHRE : PETROL,
        fields: facts.map(({ label, value }) => ({ name: label, value: escape(value), inline: true })),
        ...(origin !== '' && { footer: { text: origin } }),
        timestamp,
      },
    ],
  };
}
