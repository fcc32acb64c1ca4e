import { type AppResponse } from '@agate/client';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** The prefix of Android's own permissions, which is not shown. Other permissions keep their whole name. */
const ANDROID = 'android.permission.';

export const permissionName = (name: string): string => (name.startsWith(ANDROID) ? name.slice(ANDROID.length) : name);

/** The permissions of the app, with the texts by which an iOS app explains them. */
export function BuildPermissions({ app }: { app: AppResponse }) {
  const words = useWords().build;
  if (app.permissions === null) return null;
  const texts = new Map(app.usage_descriptions?.map(({ key, text }) => [key, text]));
  return (
    <section aria-label={words.permissions} className={styles.part}>
      <h3>{words.permissions}</h3>
      {app.permissions.length === 0 ? (
        <p className={styles.soft}>{words.noPermissions}</p>
      ) : (
        <ul className={styles.permissions}>
          {app.permissions.map((name) => (
            <li key={name}>
              <code className={styles.mono}>{permissionName(name)}</code>
              {texts.has(name) && <span className={styles.soft}>{texts.get(name)}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
