const ACCOUNT = 'a login or account route (contract §13)';
const ONCE = 'each token of an install link does it once (contract §9): a repetition hears so';

/** The routes that change something and yet know no Idempotency-Key, each with its reason. All others honour it. */
export const WITHOUT_IDEMPOTENCY: Readonly<Record<string, string>> = {
  'POST /login/email': ACCOUNT,
  'POST /login/refresh': ACCOUNT,
  'POST /login/logout': ACCOUNT,
  'POST /developers': ACCOUNT,
  'PATCH /developers/me': ACCOUNT,
  'DELETE /developers/me': ACCOUNT,
  'POST /developers/me/email': ACCOUNT,
  'POST /developers/me/password': ACCOUNT,
  'POST /developers/me/mfa': ACCOUNT,
  'POST /developers/me/mfa/confirm': ACCOUNT,
  'DELETE /developers/me/mfa': ACCOUNT,
  'POST /developers/resend-verification': ACCOUNT,
  'POST /developers/reset_password_request': ACCOUNT,
  'POST /developers/reset_password': ACCOUNT,
  'POST /developers/:developer_id/change_email': ACCOUNT,
  'POST /developers/:developer_id/verify_email': ACCOUNT,
  'PUT /builds/uploads/parts/:ticket': 'a part that is sent again is the same part, as with the stores themselves',
  'POST /billing/webhooks/stripe': 'the payment provider knows no key of ours: its own reference does it once',
  'POST /install/:invite_token/subscribe': ONCE,
  'POST /install/:invite_token/unsubscribe': ONCE,
  'POST /install/:invite_token/decline': ONCE,
};
