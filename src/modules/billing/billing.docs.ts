import { type ControllerDocs } from '#infra/http/describe';

export const BILLING_DOCS = {
  get: 'Use it to show the plan, what can still be used, and the prices. On a prepaid plan `balance_micro_usd` limits usage, on a postpaid plan the spend cap. `available_micro_usd` is what remains after open reservations; an upload or download that costs more is `402`. With `include=lists` the response also has the first pages of top-ups, ledger and statements, so that a screen needs one request.',
  update:
    'Use it to limit what the organization can spend in a month, and to choose when its members are mailed. Absent fields stay as they are. A new cap takes effect with the next upload or download; usage so far stays charged. A cap below it stops usage until the next month. A cap above the default of the service, or none, is `400 operation_not_allowed`, reason `spend_cap_above_limit`: only an operator can grant it. The plan `team` has no cap: setting one is `400 operation_not_allowed` with `details.required_plan`.',
  changePlan: {
    description:
      'Use it to switch between `team` (prepaid) and `business` (postpaid, with channels, releases and own storage). It takes effect immediately; each plan is charged for its part of the month. Switching to `business` sets the default spend cap, switching to `team` removes the cap. Switching to `team` is `409 dependency_exists` while channels exist, and any switch while own storage is configured. `enterprise` is `400 operation_not_allowed`: it is announced, but not available.',
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

export const TOP_UPS_DOCS = {
  create:
    'Use it to buy credit. With the provider `stripe` open `checkout_url` in a browser and pay: afterwards, or when the payer cancels, Stripe leads to the billing page of the dashboard with `top_up` in its address, where the `state` may still be `pending` for some seconds. With `manual` an operator of the service approves the top-up. The credit is on the balance as soon as the `state` is `paid`; until then nothing changes. An unpaid top-up costs nothing.',
  list: 'Use it to show which top-ups wait for their payment or for the approval of an operator, and which were paid. A pending Stripe top-up can be paid at its `checkout_url` for a day. One that is not paid within 90 days is deleted.',
  notify: {
    description:
      'For Stripe only: the target of its webhook. The body must be the event as Stripe sent it, with a valid `Stripe-Signature`; otherwise it is `400 invalid_input`. A paid checkout adds its amount to the balance. Other events are accepted and ignored. Without Stripe configured it is `404 not_found`.',
    requests: {
      paid: {
        id: 'evt_1QNcXe2eZvKYlo2C',
        type: 'checkout.session.completed',
        data: { object: { id: 'cs_live_a1B2c3D4', payment_status: 'paid', amount_total: 2_000, currency: 'usd' } },
      },
    },
    retry: 'Stripe repeats events until the response is `204`. Each payment is booked once.',
  },
} satisfies ControllerDocs;
