const ACCOUNT = 'a login or account route';
const EXPORT = 'its body has a password; while an export is running, a repetition returns it';
const ONCE = 'a token of an install link works once, and a repetition gets a page that says so';

const READS = 'it changes nothing: its body has a secret, which must not be in an address';

/** The mutating routes that accept no Idempotency-Key, each with the reason. */
export const WITHOUT_IDEMPOTENCY: Readonly<Record<string, string>> = {
  'POST /login/email': ACCOUNT,
  'POST /login/invitation': ACCOUNT,
  'POST /login/refresh': ACCOUNT,
  'POST /login/logout': ACCOUNT,
  'POST /login/device': ACCOUNT,
  'POST /login/device/token': ACCOUNT,
  'POST /login/device/confirm': ACCOUNT,
  'POST /login/device/deny': ACCOUNT,
  'POST /pats/revoke': 'a token that is revoked stays revoked',
  'POST /developers': ACCOUNT,
  'PATCH /developers/me': ACCOUNT,
  'DELETE /developers/me': ACCOUNT,
  'POST /developers/me/email': ACCOUNT,
  'POST /developers/me/password': ACCOUNT,
  'POST /developers/me/mfa': ACCOUNT,
  'POST /developers/me/mfa/confirm': ACCOUNT,
  'DELETE /developers/me/mfa': ACCOUNT,
  'DELETE /developers/me/sessions': ACCOUNT,
  'DELETE /developers/me/sessions/:session_id': ACCOUNT,
  'POST /developers/resend-verification': ACCOUNT,
  'POST /developers/reset_password_request': ACCOUNT,
  'POST /developers/reset_password': ACCOUNT,
  'POST /developers/:developer_id/change_email': ACCOUNT,
  'POST /developers/:developer_id/verify_email': ACCOUNT,
  'POST /developers/me/export': EXPORT,
  'POST /organizations/:organization_id/export': EXPORT,
  'POST /builds/delete/preview': READS,
  'POST /projects/:project_id/retention/preview': READS,
  'POST /organizations/invitations/preview': READS,
  'POST /organizations/:organization_id/tokens/identify': READS,
  'PUT /builds/uploads/parts/:ticket': 'a part that is sent again replaces itself',
  'POST /billing/webhooks/stripe':
    'the payment provider sends no key; its payment reference makes the effect happen once',
  'POST /install/:invite_token/subscribe': ONCE,
  'POST /install/:invite_token/unsubscribe': ONCE,
  'POST /install/:invite_token/decline': ONCE,
  'POST /install/:invite_token/devices/:device_id': 'the name that is sent again replaces itself',
  'POST /install/:invite_token/devices/:device_id/remove': 'a removed device stays removed',
  'POST /install/devices/:ticket': 'a phone sends no key; its ticket registers one device',
  'POST /install/:invite_token/unlock': 'changes nothing; wrong passwords must count each time',
  'POST /install/:invite_token/sign-in': 'each request mails another code, which replaces the one before',
  'POST /install/:invite_token/terms': 'the first acceptance is kept',
  'POST /links/:link_id/grant': 'changes nothing; each response has another grant',
  'POST /install/:invite_token/platforms': 'the choice that is sent again replaces itself',
};
