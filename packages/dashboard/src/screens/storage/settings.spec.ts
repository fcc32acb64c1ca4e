import { policyOf, settingsOf } from './settings';

describe('the settings of own storage', () => {
  it('leave out values that the provider decides', () => {
    const draft = {
      's3.region': ' eu-central-1 ',
      's3.bucket': 'acme',
      's3.addressing': 'auto',
      's3.access_key_id': 'AK',
      's3.secret_access_key': 'secret',
      'azure.account_name': 'other',
    };
    const s3 = { region: 'eu-central-1', bucket: 'acme', access_key_id: 'AK', secret_access_key: 'secret' };
    expect(settingsOf('s3', draft)).toEqual({ s3 });
    expect(settingsOf('s3', { ...draft, 's3.endpoint': 'https://s3.lan', 's3.addressing': 'host' })).toEqual({
      s3: { ...s3, endpoint: 'https://s3.lan', force_path_style: false },
    });
  });

  it('of Azure are a container and a key', () => {
    const draft = { 'azure.account_name': 'acme', 'azure.container': 'builds', 'azure.account_key': 'a2V5' };
    expect(settingsOf('azure', draft)).toEqual({
      azure: { account_name: 'acme', container: 'builds', account_key: 'a2V5' },
    });
  });
});

describe('the policy', () => {
  it('names the bucket, or has a placeholder for it', () => {
    expect(policyOf('acme')).toContain('"arn:aws:s3:::acme/*"');
    expect(policyOf(' ')).toContain('"arn:aws:s3:::BUCKET"');
  });
});
