import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import logo from '../../logo.svg';
import { serviceQuery } from '../../queries/account/session';
import { useWords } from '../../words/words-provider';
import styles from './entrance.module.css';

/** The page around the screens before the login. Forms cannot be sent from another address than the configured one. */
export function Entrance() {
  const {
    session: { logIn: words },
    frame,
  } = useWords();
  const { data: service } = useQuery(serviceQuery);
  const address = service?.base_url;
  const isElsewhere = address !== undefined && new URL(address).origin !== location.origin;
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <div className={styles.product}>
          <img src={logo} alt="" width="36" height="36" />
          <span>{frame.product}</span>
        </div>
        {isElsewhere ? (
          <>
            <h1>{words.heading}</h1>
            <p role="alert">{words.otherAddress(address)}</p>
            <a href={address}>{words.openOther}</a>
          </>
        ) : (
          <Outlet />
        )}
      </div>
    </main>
  );
}
