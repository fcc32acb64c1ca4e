import { type ChatMessage } from './chat-message';
import { escapeEntities } from './escaping';

/** Plain texts have no entities. With an invisible space, `<users/all>` is not a mention. */
const escapePlain = (text: string): string => text.replaceAll('<', '<\u200b');

/** The message of an incoming webhook of Google Chat: a card, whose texts are a little HTML, and `fallbackText` for notifications. */
export function googleChatMessage({ title, facts, notes, buttons, origin }: ChatMessage): object {
  const widgets = [
    ...facts.map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: escapeEntities(value), wrapText: true },
    })),
    ...(notes === null ? [] : [{ textParagraph: { text: escapeEntities(notes) } }]),
    ...(buttons.length === 0
      ? []
      : [
          {
            buttonList: {
              buttons: buttons.map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } })),
            },
          },
        ]),
  ];
  return {
    fallbackText: escapePlain(title),
    cardsV2: [
      {
        cardId: 'agate',
        card: {
          header: { title: escapePlain(title), ...(origin !== '' && { subtitle: escapePlain(origin) }) },
          ...(widgets.length > 0 && { sections: [{ widgets }] }),
        },
      },
    ],
  };
}
