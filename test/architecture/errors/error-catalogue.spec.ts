import { ERROR_CATALOGUE, type ErrorCase, type ErrorEntry } from '#kernel/errors/catalogue';

/** The codes and statuses that clients rely on (docs/api-behaviour.md#errors). */
const PROMISED = `
| not_found | 404 |
| already_exists | 409 |
| dependency_exists | 409 |
| invalid_input | 400 |
| validation_error | 400 |
| unauthorized | 401 |
| permission_denied | 403 |
| insufficient_role | 403 |
| email_not_verified | 403 |
| operation_not_allowed | 400; 403 for a long-lived token on a route that requires an interactive login |
| quota_exceeded | 400 |
| rate_limit_exceeded | 429 |
| spend_cap_exceeded | 402 |
| prepaid_credit_exhausted | 402 |
| payload_too_large | 413 |
| storage_backend_unavailable | 503, with Retry-After header |
| internal_error | 500 |
`;

/** Cases whose code has a second status. */
const EXTRA_CASES: Readonly<Record<string, { code: string; status: number }>> = {
  interactive_login_required: { code: 'operation_not_allowed', status: 403 },
  not_current: { code: 'operation_not_allowed', status: 409 },
  range_not_satisfiable: { code: 'invalid_input', status: 416 },
};

const rows = [...PROMISED.matchAll(/^\| (\w+) \| (\d{3})(.*) \|$/gm)].map(([, code = '', status, remark = '']) => ({
  code,
  status: Number(status),
  remark,
}));

describe('the error catalogue', () => {
  it.each(rows)('has the code $code with status $status', ({ code, status, remark }) => {
    const entry: ErrorEntry | undefined = ERROR_CATALOGUE[code as ErrorCase];
    expect(entry).toMatchObject({ code, status });
    if (remark.includes('Retry-After')) expect(entry.retryAfterSeconds).toBeGreaterThan(0);
  });

  // red when: a code is added, or a case is added without listing it here
  it('has no other cases than the documented second statuses', () => {
    const others = Object.entries(ERROR_CATALOGUE).filter(([name]) => !rows.some(({ code }) => code === name));
    const shown = Object.fromEntries(others.map(([name, { code, status }]) => [name, { code, status }]));
    expect(shown).toEqual(EXTRA_CASES);
  });

  it('logs client errors below WARN', () => {
    const loud = Object.entries<ErrorEntry>(ERROR_CATALOGUE).filter(
      ([, { status, level }]) => status < 500 && level !== 'info',
    );
    expect(loud).toEqual([]);
  });
});
