import { type MailBrand } from '../../../src/infra/mail/mail-parts';
import { type RenderedMail, renderMail, type TranslatedMail } from '../../../src/infra/mail/render-mail';
import { type NearSigningEnd } from '../../../src/kernel/builds/signing-end';
import { type Language, LANGUAGES } from '../../../src/kernel/text/language';
import {
  DATA_EXPORT_FAILED_MAIL,
  DATA_EXPORT_READY_MAIL,
} from '../../../src/modules/account-data/exports/data-export-mails.service';
import { type ScheduledBuild } from '../../../src/modules/builds/retention/retention.repository';
import { RETENTION_MAIL } from '../../../src/modules/builds/retention/retention-mail';
import { SIGNING_MAIL } from '../../../src/modules/builds/signing/signing-mail';
import { ACCOUNT_MAILS } from '../../../src/modules/developers/mailed-links/mails/developer-mails.service';
import { INCLUDED_MAIL } from '../../../src/modules/devices/inclusion/included-mails.service';
import { LINK_CODE_MAIL } from '../../../src/modules/install/gate/link-code-mail';
import {
  BUDGET_ALERT_MAIL,
  EXHAUSTED_MAIL,
  FEE_MAIL,
} from '../../../src/modules/organizations/billing-mails/billing-notice-mails';
import { INVITATION_MAIL } from '../../../src/modules/organizations/invitations/invitation-mail.service';
import { MEMBER_REMOVAL_MAIL } from '../../../src/modules/organizations/members/member-removal';
import { RELEASE_MAIL } from '../../../src/modules/releases/announcements/release-mail';
import { type AppVersion } from '../../../src/modules/testers/mails/install-mail';
import { INVITE_MAIL } from '../../../src/modules/testers/mails/invite-mail';
import { MAIL_LIMIT_MAIL } from '../../../src/modules/testers/mails/mail-budget.service';
import { WEBHOOK_OFF_MAIL } from '../../../src/modules/webhooks/sending/webhook-mails.service';

/** A mail with every part that it can have, in one language. */
export interface MailSample {
  readonly name: string;
  readonly language: Language;
  /** The mail in all languages, by which a test finds mails without a sample. */
  readonly source: object;
  readonly mail: RenderedMail;
}

const TOKEN = 'agi_3kV9mQ2xT7pLw8RzB4nYc6HdJ1sFgA5uEoKi0XvMtNq2WyPbC';
const URL = `https://apps.example.org/install/${TOKEN}`;
const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const ICON = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';

const APP: AppVersion['app'] = {
  name: 'Harbour',
  version: '2.4.0 (318)',
  platform: 'iOS',
  icon: ICON,
  notes:
    '# What is new\nThe tide table now **works offline**. See https://wiki.example.org/a/very/long/address/of/a/page/with/many/parts?and=parameters&more=of-them.\n\n- Open a harbour you have saved, then switch to flight mode.\n- [Issue 1234](https://issues.example.org/1234): nothing should jump.\n\nKnown: the widget still shows yesterday’s times.',
  changes: 'Changed since 2.3.0 (300): 3.1 MB larger; new permissions: Camera; needs iOS 16.0 (before: 15.0).',
};
const app = (facts: Partial<AppVersion['app']> = {}): AppVersion => ({ app: { ...APP, ...facts }, icon: null });
const ANDROID = app({
  platform: 'Android',
  version: '2.4.1 (319)',
  icon: null,
  notes: null,
  changes: null,
  problem: 'Its signature is broken: the file was changed after it was signed. Android will not install it.',
});

interface Sample {
  readonly name: string;
  readonly source: TranslatedMail<never>;
  readonly data: object;
  readonly brand?: MailBrand;
}

const sample = <Data extends object>(
  name: string,
  source: TranslatedMail<Data>,
  data: (language: Language) => Data,
): readonly (Sample & { readonly language: Language })[] =>
  LANGUAGES.map((language) => ({ name: `${name}-${language}`, source, data: data(language), language }));

const NO_BRAND = { logo: null, contact: null, privacyUrl: null, accent: null };
const BRAND: MailBrand = {
  name: 'Tidewater',
  logo: { image: 'logo', width: 640, height: 160 },
  contact: 'beta@tidewater.example',
  privacyUrl: 'https://tidewater.example/privacy?from=mail&app=harbour',
  accent: '#8a1c5b',
};

const installData = (language: Language, apps: readonly AppVersion[], organization = 'Tidewater Labs') => ({
  tester: { id: 't', email: 'tess@example.net', name: 'Tess' },
  names: { project: 'Harbour', organization, brand: { name: organization, ...NO_BRAND }, language },
  apps,
  url: URL,
  unsubscribeUrl: `${URL}/unsubscribe`,
  qr: 'install-link',
});

const NOTICE = {
  resetUrl: 'https://apps.example.org/api/v1/developers/reset_password',
  time: '26 November 2026, 06:20 UTC',
  address: '2001:db8:85a3::8a2e:370:7334',
};
const LINK = { url: `https://apps.example.org/api/v1/developers/reset_password?token=${TOKEN}`, expiresInHours: 2 };
const ACCOUNT_DATA = {
  ...NOTICE,
  ...LINK,
  name: 'Ann',
  last4: 'x7Q2',
  scopes: ['builds:read', 'builds:upload'],
  browser: { program: 'Chrome', system: 'Windows' },
};
const CHARGE = {
  organization: 'Tidewater Labs',
  period: '2026-12',
  day: '2026-12-01',
  fee: '100.00',
  charge: '100.00',
  balance: '4.99',
  cause: 'fee',
  cap: null,
  payment: 'manual',
  billingUrl: 'https://apps.example.org/o/019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10/billing',
} as const;

const scheduled = (version: string, buildNumber: string | null): ScheduledBuild => ({
  id: 'build',
  platform: 'android',
  version,
  buildNumber,
  sizeBytes: '12000000',
});
const ending = (number: number, what: NearSigningEnd['what'], daysLeft: number, channels: readonly string[]) => ({
  id: ICON,
  platform: 'ios' as const,
  version: `2.4.${number}`,
  buildNumber: String(300 + number),
  what,
  at: new Date(Date.parse('2026-11-26T10:00:00Z') + daysLeft * 86_400_000),
  daysLeft,
  channels,
});
const PROJECT_URL =
  'https://apps.example.org/o/019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10/p/019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d11';

const SAMPLES: readonly (Sample & { readonly language: Language })[] = [
  ...sample('release', RELEASE_MAIL, (language) => ({
    ...installData(language, [app()]),
    channel: 'Beta',
    isReminder: false,
  })),
  ...sample('release-reminder', RELEASE_MAIL, (language) => ({
    ...installData(language, [app()]),
    channel: 'Beta',
    isReminder: true,
  })),
  ...sample('release-two-platforms', RELEASE_MAIL, (language) => ({
    ...installData(language, [app(), ANDROID]),
    channel: 'Beta',
    isReminder: false,
  })),
  ...sample('release-long-names', RELEASE_MAIL, (language) => ({
    ...installData(language, [app({ name: LONG_WORD, notes: LONG_WORD, icon: null })], LONG_WORD),
    channel: LONG_WORD,
    isReminder: false,
  })),
  ...sample('invite-build', INVITE_MAIL, (language) => ({ ...installData(language, [app()]), channel: null })),
  ...sample('invite-channel', INVITE_MAIL, (language) => ({ ...installData(language, []), channel: 'Beta' })),
  ...sample('invite-project', INVITE_MAIL, (language) => ({ ...installData(language, []), channel: null })),
  ...sample('invite-branded', INVITE_MAIL, (language) => ({
    ...installData(language, [app()], BRAND.name),
    channel: null,
  })).map((branded) => ({ ...branded, brand: BRAND })),
  ...sample('release-branded-text', RELEASE_MAIL, (language) => ({
    ...installData(language, [app()], BRAND.name),
    channel: 'Beta',
    isReminder: false,
  })).map((branded) => ({ ...branded, brand: { ...BRAND, logo: null, contact: LONG_WORD } })),
  ...sample('included', INCLUDED_MAIL, (language) => installData(language, [app({ notes: null, changes: null })])),
  ...sample('link-code', LINK_CODE_MAIL, (language) => ({ names: installData(language, []).names, code: '482913' })),
  ...Object.entries(ACCOUNT_MAILS).flatMap(([name, mail]) =>
    sample(`account-${name}`, mail as TranslatedMail<typeof ACCOUNT_DATA>, () => ACCOUNT_DATA),
  ),
  ...sample('invitation', INVITATION_MAIL, () => ({
    organization: 'Tidewater Labs',
    inviter: 'Anna Berg',
    roles: ['MANAGER', 'BILLING'] as const,
    url: `https://apps.example.org/api/v1/organizations/invitations/accept?token=${TOKEN}`,
  })),
  ...sample('webhook-off', WEBHOOK_OFF_MAIL, () => ({
    organization: 'Tidewater Labs',
    webhook: 'Team chat',
    host: 'hooks.example.com',
    reason: 'failing' as const,
    url: 'https://apps.example.org/o/01a19b8f-09fe-7af3-a1bb-312bf8430055/settings/webhooks/019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
  })),
  ...sample('member-removal', MEMBER_REMOVAL_MAIL, () => ({
    organization: 'Tidewater Labs',
    member: 'bob@example.net',
    revoked: false,
    tokens: [
      {
        name: 'CI',
        last4: 'zKR6',
        id: 'token',
        role: 'UPLOAD_BUILD' as const,
        projectId: 'project',
        projectName: 'Harbour',
        createdAt: new Date('2026-10-01T00:00:00Z'),
        expiresAt: null,
        lastUsedAt: null,
      },
    ],
  })),
  ...sample('billing-exhausted', EXHAUSTED_MAIL, () => CHARGE),
  ...sample('billing-fee', FEE_MAIL, () => CHARGE),
  ...sample('billing-alert', BUDGET_ALERT_MAIL, () => ({ ...CHARGE, percent: 80, spent: '80.00', budget: '100.00' })),
  ...sample('signing-expires', SIGNING_MAIL, () => ({
    project: 'Harbour',
    builds: [ending(7, 'profile', 15, ['Beta', 'Customer demo']), ending(9, 'certificate', 60, [])],
    projectUrl: PROJECT_URL,
  })),
  ...sample('signing-of-many', SIGNING_MAIL, () => ({
    project: LONG_WORD,
    builds: [
      { ...ending(1, 'profile', 0, [LONG_WORD]), version: LONG_WORD },
      ...Array.from({ length: 40 }, (_, n) => ending(n, 'profile', 1, [])),
    ],
    projectUrl: PROJECT_URL,
  })),
  ...sample('retention', RETENTION_MAIL, () => ({
    project: 'Harbour',
    count: 3,
    builds: [scheduled('1.4.0', '42'), scheduled('1.3.9', null)],
    at: new Date('2026-12-05T06:20:00Z'),
    projectUrl: PROJECT_URL,
  })),
  ...sample('retention-of-many', RETENTION_MAIL, () => ({
    project: LONG_WORD,
    count: 4_000,
    builds: Array.from({ length: 20 }, (_, n) => scheduled(n === 0 ? LONG_WORD : `1.${n}`, String(n))),
    at: new Date('2026-12-05T06:20:00Z'),
    projectUrl: PROJECT_URL,
  })),
  ...sample('mail-limit', MAIL_LIMIT_MAIL, () => ({ organization: 'Tidewater Labs', limit: 200, onTrial: true })),
  ...sample('data-export', DATA_EXPORT_READY_MAIL, () => ({ organization: 'Tidewater Labs', url: LINK.url })),
  ...sample('data-export-failed', DATA_EXPORT_FAILED_MAIL, () => ({ organization: null })),
];

/** Every mail of the service in every language. */
export const MAIL_SAMPLES: readonly MailSample[] = SAMPLES.map(({ name, language, source, data, brand }) => ({
  name,
  language,
  source,
  mail: renderMail(source[language], data as never, brand),
}));
