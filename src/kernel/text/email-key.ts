/** How two e-mail addresses are told apart: composed the same way (NFC), case folded. Plus-addresses stay distinct. */
export const emailKeyOf = (email: string): string => email.normalize('NFC').toLowerCase();
