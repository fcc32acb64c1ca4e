/** Removes U+FFFD and the characters that XML 1.0 cannot represent, even escaped (production 2). */
export const xmlText = (text: string): string =>
  text.toWellFormed().replace(/(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffd-\uffff]/gu, '');
