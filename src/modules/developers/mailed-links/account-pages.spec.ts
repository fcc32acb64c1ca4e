import { MESSAGE_PAGE } from '#infra/pages/message-page';
import { messagesFor } from '#infra/pages/messages/messages';
import { PageAssets } from '#infra/pages/page-assets';
import { PageRenderer } from '#infra/pages/rendering/page-renderer';
import { accountLinkInvalidPage, accountNoticePage, resetPasswordPage } from './account-pages';

const renderer = new PageRenderer(new PageAssets());
const messages = messagesFor('en');

it.each([
  ['verified', 'success'],
  ['alreadyVerified', 'success'],
  ['verifyLinkSent', 'neutral'],
  ['resetDone', 'success'],
  ['resetLinkSent', 'neutral'],
] as const)('accountNoticePage %s has a message, and no form or script', (notice, tone) => {
  const page = accountNoticePage(messages, notice);
  expect(page).toMatchObject({ tone, title: messages.account[notice].title });
  expect(renderer.render(MESSAGE_PAGE, page)).not.toMatch(/<form|<script/);
});

it.each(['verifyLinkInvalid', 'resetLinkInvalid'] as const)(
  'accountLinkInvalidPage %s has a form that requests another link',
  (notice) => {
    const html = renderer.render(MESSAGE_PAGE, accountLinkInvalidPage(messages, notice, { action: '/api/v1/again' }));
    expect(html).toContain('<form method="post" action="/api/v1/again">');
    expect(html).toMatch(
      /<label for="field-email">[^]*<input id="field-email" name="email" type="email" autocomplete="email"/,
    );
  },
);

describe('resetPasswordPage', () => {
  const form = { action: '/api/v1/developers/reset_password', token: 'agr_"token' };

  it('posts the token of the link and the new password without a script', () => {
    const html = renderer.render(MESSAGE_PAGE, resetPasswordPage(messages, form));
    expect(html).toContain('<form method="post" action="/api/v1/developers/reset_password">');
    expect(html).toContain('<input type="hidden" name="token" value="agr_&quot;token">');
    expect(html).toMatch(
      /name="new_password" type="password" autocomplete="new-password"[^>]* minlength="10"[^>]* required>/,
    );
    expect(html).not.toContain('<script');
  });

  it('shows the problem of a rejected password, and never the password', () => {
    const html = renderer.render(MESSAGE_PAGE, resetPasswordPage(messages, { ...form, problem: 'Too short.' }));
    expect(html).toContain('<p class="field-problem" id="field-problem" role="alert">Too short.</p>');
    expect(html).toMatch(/name="new_password"[^>]* value=""/);
  });
});
