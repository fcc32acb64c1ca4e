import { type Words } from '../words';

export const adoption: Words['adoption'] = {
  label: 'Tester, die ihn haben',
  haveIt: (count, all) => `${count} von ${all} ${count === '1' ? 'hat' : 'haben'} ihn`,
  steps: {
    has_it: { one: '# hat ihn', other: '# haben ihn' },
    has_newer: { one: '# hat einen neueren', other: '# haben einen neueren' },
    downloaded: { one: '# hatte ihn und hat einen anderen', other: '# hatten ihn und haben einen anderen' },
    opened: { one: '# hat den Link geöffnet', other: '# haben den Link geöffnet' },
    mailed: { one: '# hat eine Mail', other: '# haben eine Mail' },
    not_mailed: { one: '# ohne Mail', other: '# ohne Mail' },
    bounced: { one: '# Adresse ungültig', other: '# Adressen ungültig' },
  },
};
