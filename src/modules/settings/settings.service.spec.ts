import { CaptchaConfig, HttpConfig, MailConfig, SignUpConfig, UploadConfig } from '#infra/config/config';
import { type Environment, loadConfig } from '#infra/config/load-config';
import { type Settings, SettingsService } from './settings.service';

// The spec needs only the type of this module, so its imports are not loaded.
jest.mock('#modules/billing', () => ({ TariffService: class {} }));

describe('SettingsService', () => {
  const settingsOf = (environment: Environment): Settings => {
    const config = loadConfig(environment);
    const [http, signUp, captcha] = [config.get(HttpConfig), config.get(SignUpConfig), config.get(CaptchaConfig)];
    const [mail, upload] = [config.get(MailConfig), config.get(UploadConfig)];
    return new SettingsService(http, signUp, captcha, mail, upload, {} as never).settings;
  };

  it.each([
    ['open', 'open'],
    ['invited', 'invited'],
    ['closed', 'closed'],
    ['example.com', 'domains'],
    ['example.com, example.org', 'domains'],
  ])('shows SIGN_UP=%s as "%s"', (value, shown) => {
    expect(settingsOf({ SIGN_UP: value }).signUp).toBe(shown);
  });

  it('says whether a sign-up needs a captcha', () => {
    expect(settingsOf({}).captcha).toBe('none');
    expect(settingsOf({ CAPTCHA_PROVIDER: 'altcha' }).captcha).toBe('altcha');
  });

  it('says whether agents can use the MCP server', () => {
    expect(settingsOf({}).mcp).toBe('on');
    expect(settingsOf({ MCP: 'off' }).mcp).toBe('off');
  });

  it('says whether mails are sent or written to files', () => {
    expect(settingsOf({}).mail).toBe('written');
    expect(settingsOf({ MAIL_URL: 'smtp://ann:secret@mail.example.com' }).mail).toBe('sent');
  });
});
