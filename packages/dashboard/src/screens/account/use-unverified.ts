import { useDeveloper } from '../../queries/account/session';
import { useWords } from '../../words/words-provider';

/** The reason why the developer may not change their account yet; undefined when they may. */
export function useUnverified(): string | undefined {
  const { reason } = useWords().frame.verify;
  return useDeveloper().email_verified ? undefined : reason;
}
