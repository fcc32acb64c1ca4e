import MiniSearch from 'minisearch';
import { plainText, rowText } from './render-markdown.mjs';

/** The service reads the index with these. */
const INDEX_OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'excerpt'] };

const EXCERPT_CHARACTERS = 200;
/** The headings that begin a part of a page. */
const DEEPEST = 3;

/** The index of all pages: one entry for each part of a page, and one for each row of a table that explains a word of the API. */
export function searchIndex(pages) {
  const index = new MiniSearch(INDEX_OPTIONS);
  index.addAll(pages.flatMap(entriesOf));
  return JSON.stringify(index);
}

function entriesOf({ address, title, tokens }) {
  const entry = (id, name, text) => ({ id, title: name, page: title, text, excerpt: excerptOf(text) });
  const parts = [{ id: address, title, texts: [] }];
  const words = [];
  for (const token of tokens) {
    const part = parts.at(-1);
    if (token.type === 'heading' && token.depth <= DEEPEST) {
      parts.push({ id: `${address}#${token.id}`, title: plainText(token), texts: [] });
    } else if (token.type === 'table') {
      for (const row of token.rows) {
        const text = rowText(row);
        if (row.ids === undefined) part.texts.push(text);
        else
          words.push({
            ...entry(`${address}#${row.ids[0]}`, row.title, text),
            excerpt: excerptOf(explanationOf(row)),
          });
      }
    } else part.texts.push(plainText(token));
  }
  return [...parts.map(({ id, title: name, texts }) => entry(id, name, texts.join(' '))), ...words];
}

/** The cells of a row without those that only repeat its title. */
function explanationOf(row) {
  const names = ['', row.title, ...row.title.split(', ')];
  return row
    .map(({ tokens }) => plainText(tokens))
    .filter((text) => !names.includes(text))
    .join(' · ');
}

function excerptOf(text) {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= EXCERPT_CHARACTERS ? flat : `${flat.slice(0, EXCERPT_CHARACTERS).replace(/ \S*$/, '')} …`;
}
