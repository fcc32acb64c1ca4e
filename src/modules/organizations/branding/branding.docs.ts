import { type ControllerDocs } from '#infra/http/describe';

export const BRANDING_DOCS = {
  get: 'Use it to show or edit what testers see of the organization. Every field is `null` until it is set: then testers see the name of the organization and the colours of the service.',
  replace:
    'Use it to give install pages and mails to testers the name, logo and colour of your organization, a contact and a privacy policy. It replaces the whole branding: absent fields are removed, so send back what `GET` returned with your changes. Pages change immediately, mails from the next one on. A logo that is not a PNG, or has more than 64 KiB or 2,048 pixels a side, is `400 invalid_input` with the reason `logo_not_base64`, `logo_not_png` or `logo_too_large`; an accent whose contrast is below 4.5 has the reason `accent_contrast`, with `details.contrast`.',
} satisfies ControllerDocs;

export const LOGOS_DOCS = {
  get: 'The logo of an organization, for install pages. The address ends when the logo is replaced or removed, or the organization is deleted; copies in caches stay.',
} satisfies ControllerDocs;
