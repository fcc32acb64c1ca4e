/** The key that identifies an e-mail address: NFC, lower case. Plus-addresses stay distinct. */
export const emailKeyOf = (email: string): string => email.normalize('NFC').toLowerCase();
