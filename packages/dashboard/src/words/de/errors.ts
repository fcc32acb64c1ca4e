import { type Words } from '../words';

export const errors: Words['errors'] = {
  heading: 'Das konnte nicht geladen werden',
  requestId: (id) => `Anfrage-ID: ${id}`,
  tryAgain: 'Erneut versuchen',
  retryIn: (seconds) => `Neuer Versuch in ${seconds} s.`,
  network: 'Der Dienst ist nicht erreichbar. Prüfen Sie die Netzwerkverbindung.',
  needsRole: (role) => `Erfordert die Rolle ${role}`,
  needsPlan: (plan) => `Erfordert den Tarif ${plan}`,
  offline: {
    heading: 'Der Dienst ist nicht erreichbar',
    text: 'Was Sie sehen, kann veraltet sein. Die Oberfläche versucht es von selbst erneut.',
  },
};
