import { type ControllerDocs } from '#infra/http/describe';

export const BILLING_DOCS = {
  get: 'Use it to show the plan, what can still be used, and the prices. On a prepaid plan `balance_micro_usd` limits usage, on a postpaid plan the spend cap. `available_micro_usd` is what remains after open reservations; an upload or download that costs more is `402`. With `include=lists` the response also has the first pages of top-ups, ledger and statements, so that a screen needs one request.',
  update:
    'Use it to limit what the organization can spend in a month, and to choose when its members are mailed. Absent fields stay as they are. A new cap takes effect with the next upload or download; usage so far stays charged. A cap below it stops usage until the next month. A cap above the default of the service, or none, is `400 operation_not_allowed`, reason `spend_cap_above_limit`: only an operator can grant it. The plan `team` has no cap: setting one is `400 operation_not_allowed` with `details.required_plan`.',
  changePlan: {
    description:
      'Use it to switch between `team` (prepaid) and `business` (postpaid, with channels, releases and own storage). It takes effect at once; each plan is charged for its part of the month. Switching to `business` sets the default spend cap, switching to `team` removes the cap. Switching to `team` is `409 dependency_exists` while channels exist, and any switch while own storage is configured. `enterprise` is `400 operation_not_allowed`: it is announced, but not available.',
    retry:
      'Send an `Idempotency-Key`, and repeat the request with the same key after a timeout, a `429` or a `503`. Switching to the present plan changes nothing.',
  },
  usage:
    'Use it to show what was stored, uploaded and downloaded in a month, and what it costs. The present month is complete up to now. Quantities are in MB (1,000,000 bytes), for storage in MB-months.',
  ledger:
    'Use it to explain the balance, which is the sum of all entries. Entries never change and are never deleted: a correction is another entry. Negative amounts are charges.',
  statements:
    'Use it for accounting: one statement for each closed month, with the balance before and after, credits, fees and usage. A month is closed soon after its end (UTC). Statements never change.',
} satisfies ControllerDocs;
