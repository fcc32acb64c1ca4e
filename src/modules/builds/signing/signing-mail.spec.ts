import { renderMail } from '#infra/mail/render-mail';
import { type AnnouncedBuild } from './ending-builds';
import { SIGNING_MAIL } from './signing-mail';

const build = (daysLeft: number): AnnouncedBuild => ({
  id: 'b',
  platform: 'ios',
  version: '1.0',
  buildNumber: null,
  what: 'certificate',
  at: new Date('2026-12-01T10:00:00Z'),
  daysLeft,
  channels: [],
});
const render = (language: 'en' | 'de', ...days: readonly number[]) =>
  renderMail(SIGNING_MAIL[language], { project: 'Harbour', builds: days.map(build), projectUrl: null });

describe('the mail about expiring signatures', () => {
  // red when: the subject has the days of one build and the number of all
  it.each([
    [[1], 'Harbour: the signing of 1 build expires in 1 day', 'Harbour: Die Signatur von 1 Build läuft in 1 Tag ab'],
    [
      [7, 7],
      'Harbour: the signing of 2 builds expires in 7 days',
      'Harbour: Die Signatur von 2 Builds läuft in 7 Tagen ab',
    ],
    [[7, 60], 'Harbour: the signing of 2 builds expires soon', 'Harbour: Die Signatur von 2 Builds läuft bald ab'],
    [[0, 0], 'Harbour: the signing of 2 builds has expired', 'Harbour: Die Signatur von 2 Builds ist abgelaufen'],
    [
      [60, 0],
      'Harbour: the signing of 2 builds has expired or expires soon',
      'Harbour: Die Signatur von 2 Builds ist abgelaufen oder läuft bald ab',
    ],
  ])('says in the subject when builds with %j days left expire', (days, english, german) => {
    expect([render('en', ...days).subject, render('de', ...days).subject]).toEqual([english, german]);
  });

  it('names the date, and has no links on a service without a dashboard', () => {
    const { html, text } = render('en', 0);
    expect(text).toContain(
      '- 1.0: Signing certificate expired on 1 December 2026. In no channel, only through its link.',
    );
    expect(html).not.toContain('href=');
  });
});
