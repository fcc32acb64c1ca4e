import { type Words } from '../words';

export const deletion: Words['deletion'] = {
  size: 'Größe der Dateien',
  costs: 'Pro Monat',
  kept: {
    one: '# weiterer Build passt und bleibt, weil er geschützt ist.',
    other: '# weitere Builds passen und bleiben, weil sie geschützt sind.',
  },
  oldest: 'Die ältesten davon',
  number: 'Builds',
  more: { one: 'und # weiterer', other: 'und # weitere' },
  byFilter: {
    heading: 'Alte Builds löschen',
    intro:
      'Builds, die alle Bedingungen erfüllen, kommen für sieben Tage in den Papierkorb. Ihre Installationslinks funktionieren sofort nicht mehr.',
    platform: 'Plattform',
    anyPlatform: 'Jede Plattform',
    version: 'Version',
    versionHint: 'Genau diese',
    branch: 'Branch',
    branchHint: 'Ein Name oder Muster: pr-*',
    days: 'Älter als',
    daysAfter: 'Tage',
    any: 'Beliebig',
    noCondition: 'Setzen Sie eine Bedingung, um die passenden Builds zu sehen.',
    protected: 'Builds, die angeheftet oder in einem Kanal aktuell sind, bleiben.',
    submit: { one: '# Build löschen', other: '# Builds löschen' },
    submitNone: 'Builds löschen',
    nothing: 'Kein Build erfüllt die Bedingungen',
    waiting: 'Die Builds werden noch gezählt',
    progress: 'Builds werden gelöscht',
    of: (deleted, all) => `${deleted} von ${all}`,
    interrupted: (deleted, remaining) =>
      `${deleted} sind im Papierkorb, ${remaining} fehlen noch. Löschen Sie noch einmal, um fortzufahren.`,
    reasons: {
      preview_required:
        'Diese Bedingungen waren noch nicht gezählt. Jetzt sind sie es: Sehen Sie die Builds an, und löschen Sie noch einmal.',
      preview_expired:
        'Die Zählung war über eine Stunde alt. Die Builds wurden neu gezählt: Sehen Sie sie an, und löschen Sie noch einmal.',
    },
  },
};
