import { type Words } from '../words';

export const join: Words['join'] = {
  title: 'Einladung',
  loading: 'Wird geladen …',
  again: 'Noch einmal versuchen',
  heading: (by, organization, roles) => `${by} lädt Sie als ${roles} zu ${organization} ein`,
  name: 'Name (optional)',
  join: 'Beitreten',
  loggedIn: (email) => `Sie sind als ${email} angemeldet.`,
  hasAccount: (email) => `${email} hat hier ein Konto. Melden Sie sich an, um beizutreten.`,
  logIn: 'Anmelden',
  other: (email, own) => `Die Einladung ist für ${email}, aber Sie sind als ${own} angemeldet.`,
  logOut: 'Abmelden und fortfahren',
  rejected: (email) =>
    `Dieser Dienst legt für ${email} kein Konto an. Bitten Sie seinen Betreiber darum, und öffnen Sie dann den Link noch einmal.`,
  unusable: {
    heading: 'Diese Einladung gilt nicht',
    text: 'Sie wurde benutzt oder zurückgezogen, oder sie ist nach sieben Tagen abgelaufen. Wenn Sie damit beigetreten sind, melden Sie sich an. Bitten Sie sonst um eine neue.',
    logIn: 'Anmelden',
  },
};
