import { type ControllerDocs } from '#infra/http/describe';

const S3 = {
  s3: {
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    region: 'eu-central-1',
    bucket: 'acme-builds',
    force_path_style: false,
    access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  },
};

const AZURE = {
  azure: {
    account_name: 'acmebuilds',
    container: 'builds',
    account_key: 'bm90IGEga2V5LCBidXQgaXQgbG9va3MgbGlrZSBvbmU=',
  },
};

export const BYOSA_DOCS = {
  get: 'Use it to see whether the organization has a storage account of its own, where it is, and whether new artifacts are stored there. Without one the `state` is `none`. Secrets are never returned.',
  put: {
    description:
      'Use it to configure a bucket or container of your own, or to replace its credentials. The service first writes, reads and deletes a test object there. If a check fails, the response is `400 invalid_input`, reason `checks_failed`, `details.checks` has the advice, and nothing is stored. Artifacts go to the account only after an operator of the service has switched it on. An account that holds artifacts cannot change its place: `400 operation_not_allowed`, reason `byosa_in_use`. Needs the plan `business`.',
    retry:
      'Repeating it with the same body is harmless: the checks run again. With an `Idempotency-Key` a repetition returns the first response without running them.',
    requests: { s3: S3, azure: AZURE },
  },
  diagnose: {
    description:
      'Use it when uploads or downloads fail with `503`, or after a change at the storage provider. It runs all checks on the stored account and writes, reads and deletes a test object there. The configuration does not change. The response is `200` also when a check fails; look at `ok`.',
    retry: 'It can be repeated at any time. Do not send the key of an earlier request: you would get its result.',
  },
  tearDown:
    'Use it to stop using your own account. An account that was never active is removed immediately. An active one becomes `draining`: an operator switches new artifacts back to the hosted store and moves the stored ones there, then the account is removed. Nothing in your bucket or container is deleted before its artifact is moved. A second call changes nothing.',
} satisfies ControllerDocs;
