import { type ControllerDocs } from '#infra/http/describe';

export const OWN_INVITATIONS_DOCS = {
  list: 'Use it to show a person which organizations invited them, without the mailed link. It lists the invitations to the address of your account that can be accepted now. While the address is not verified, the list is empty: it may belong to another person.',
  accept:
    'Use it instead of the mailed link. It gives you the roles of the invitation and uses it up. An invitation to another address, or one that was used, withdrawn or has expired, is `404 not_found`, as is one whose sender is no longer ADMIN.',
  decline:
    'Use it to remove an invitation that you do not want. Its mailed link stops working, and the organization sees it in its audit feed. It may invite you again.',
} satisfies ControllerDocs;
