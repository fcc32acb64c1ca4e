import { useLayoutEffect, useRef } from 'react';
import { AppIcon } from '../../ui';
import { useWords } from '../../words/words-provider';
import { accentShades, contrastOfAccent, isAccent, MIN_CONTRAST } from './accent';
import styles from './branding.module.css';
import { Logo } from './logo';

/** What the form contains at present. */
export interface ShownBranding {
  readonly displayName: string;
  readonly logo: string;
  readonly contact: string;
  readonly privacyUrl: string;
  readonly accent: string;
}

const SAMPLE = { name: 'Rocket', version: '2.1.0 (210)' };

interface PhoneProps {
  readonly theme: 'light' | 'dark';
  readonly name: string;
  readonly branding: ShownBranding;
}

/** The top and the end of an install page on a phone, with what is typed. */
export function PhonePreview({ theme, name, branding }: PhoneProps) {
  const words = useWords().branding.preview;
  const phone = useRef<HTMLDivElement>(null);
  const { accent, logo, contact, privacyUrl } = branding;
  const isUsed = isAccent(accent) && contrastOfAccent(accent) >= MIN_CONTRAST;
  useLayoutEffect(() => {
    const style = phone.current?.style;
    const shades = isUsed ? accentShades(accent.toLowerCase())[theme] : null;
    if (shades) {
      style?.setProperty('--brand-accent', shades.accent);
      style?.setProperty('--brand-on-accent', shades.onAccent);
    } else {
      style?.removeProperty('--brand-accent');
      style?.removeProperty('--brand-on-accent');
    }
  }, [accent, isUsed, theme]);
  return (
    <figure className={styles.figure}>
      <figcaption>{words.themes[theme]}</figcaption>
      <div ref={phone} className={`${styles.phone} ${styles[theme]}`}>
        {logo !== '' && (
          <div className={styles.plate}>
            <Logo base64={logo} label={name} />
          </div>
        )}
        <div className={styles.sheet}>
          <div className={styles.app}>
            <AppIcon name={SAMPLE.name} size={64} />
            <div>
              <p className={styles.appName}>{SAMPLE.name}</p>
              <p className={styles.quiet}>{SAMPLE.version}</p>
            </div>
          </div>
          <p className={styles.install}>{words.install}</p>
          <p className={styles.trust}>{words.trust(name)}</p>
          <p className={styles.link}>{words.link}</p>
        </div>
        <div className={styles.foot}>
          {contact !== '' && <p>{words.contact(contact)}</p>}
          {privacyUrl !== '' && <p className={styles.underlined}>{words.privacy}</p>}
          <p>{words.footer}</p>
        </div>
      </div>
    </figure>
  );
}
