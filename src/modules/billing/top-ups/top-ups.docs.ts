import { type ControllerDocs } from '#infra/http/describe';

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
