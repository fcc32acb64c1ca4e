import { ERROR_CATALOGUE, type ErrorCase, type ErrorEntry } from '#kernel/errors/catalogue';

/** Specification §7, as it stands there. */
const SPECIFICATION = `
| not_found | 404 |
| already_exists | 409 |
| dependency_exists | 409 |
| invalid_input | 400 |
| validation_error | 400 |
| unauthorized | 401 |
| permission_denied | 403 |
| insufficient_role | 403 |
| email_not_verified | 403 |
| operation_not_allowed | 400 in the general table; 403 when a long-lived token is used on a surface that rejects it |
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
  range_not_satisfiable: { code: 'invalid_input', status: 416 },
};

const rows = [...SPECIFICATION.matchAll(/^\| (\w+) \| (\d{3})(.*) \|$/gm)].map(
  ([, code = '', status, remark = '']) => ({ code, status: Number(status), remark }),
);

describe('the error catalogue', () => {
  it.each(rows)('has $code as $status', ({ code, status, remark }) => {
    const entry: ErrorEntry | undefined = ERROR_CATALOGUE[code as ErrorCase];
    expect(entry).toMatchObject({ code, status });
    if (remark.includes('Retry-After')) expect(entry.retryAfterSeconds).toBeGreaterThan(0);
  });

  // red when: a code is invented, or a case is added without saying so here
  it('has nothing else but the documented second statuses', () => {
    const others = Object.entries(ERROR_CATALOGUE).filter(([name]) => !rows.some(({ code }) => code === name));
    const shown = Object.fromEntries(others.map(([name, { code, status }]) => [name, { code, status }]));
    expect(shown).toEqual(EXTRA_CASES);
  });

  it('keeps a client’s mistakes below WARN', () => {
    const loud = Object.entries<ErrorEntry>(ERROR_CATALOGUE).filter(
      ([, { status, level }]) => status < 500 && level !== 'info',
    );
    expect(loud).toEqual([]);
  });
});
