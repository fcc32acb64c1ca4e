/** What an organization pays for (specification §1). An Enterprise plan is announced but unavailable. */
export const PLANS = ['team', 'business'] as const;
export type Plan = (typeof PLANS)[number];
