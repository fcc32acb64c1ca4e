import { domainToASCII } from 'node:url';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { Variable } from '../variable';

const CHOICE = /^(open|invited|closed|[^\s,]+\.[^\s,.]+(\s*,\s*[^\s,]+\.[^\s,.]+)*)$/;

/** The settings of sign-up. */
export class SignUpConfig {
  @Variable('SIGN_UP', {
    describe:
      'Who may sign up: "open" (everyone), "invited" (addresses with an open invitation to an organization), "closed" (only an operator creates accounts), or comma-separated e-mail domains. Default: "open"; required in production.',
  })
  @IsOptional()
  @Matches(CHOICE, { message: 'signUp must be "open", "invited", "closed" or a list of e-mail domains' })
  signUp: string;

  get mode(): 'open' | 'invited' | 'closed' | 'domains' {
    return this.signUp === 'open' || this.signUp === 'invited' || this.signUp === 'closed' ? this.signUp : 'domains';
  }

  /** Whether the address is in one of the domains. Subdomains must be listed themselves. */
  hasDomain(email: string): boolean {
    const domain = asciiOf(email.slice(email.lastIndexOf('@') + 1));
    return domain !== '' && this.signUp.split(',').some((listed) => asciiOf(listed.trim()) === domain);
  }
}

const asciiOf = (domain: string): string => domainToASCII(domain).toLowerCase();

/** Protection of sign-up against scripts. */
export class CaptchaConfig {
  @Variable('CAPTCHA_PROVIDER', {
    describe: '"altcha" (self-hosted proof of work) or "none". Default: "none"; required in production.',
  })
  @IsOptional()
  @IsIn(['none', 'altcha'])
  provider: 'none' | 'altcha';
}
