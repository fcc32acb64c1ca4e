import { type WarningResponse } from '@agate/client';
import { useWords } from '../../words/words-provider';

/** What a warning about a code signature is about: a file, an entitlement, or a bundle inside the app. */
const DETAIL =
  /The file (.+?) was |the entitlement ([^\s,]+)|((?:PlugIns|Extensions|Watch|AppClips|XPCServices|Frameworks)\/.+?\.(?:appex|app|xpc|framework|dylib))/;

/** The earlier build that a build is compared with. */
const EARLIER = /(?:last build|before), (?:as )?(.+?)\.(?: |$)/;

/** Returns the text of a warning in the language of the dashboard, because the service sends English. */
export function useWarningText(): (warning: WarningResponse) => string {
  const { texts } = useWords().build.warning;
  return ({ code, message }) => {
    const text = texts[code];
    if (text === undefined) return message;
    const day = /\d{4}-\d{2}-\d{2}/.exec(message)?.[0] ?? '';
    const level = /\bAPI (\d+)/.exec(message)?.[1] ?? '';
    const system = /\bAndroid (\d+)/.exec(message)?.[1] ?? '';
    const subject = /"([^"]+)"/.exec(message)?.[1] ?? '';
    const count = /^\d+/.exec(message)?.[0] ?? '';
    const earlier = EARLIER.exec(message)?.[1] ?? '';
    const about = DETAIL.exec(message)?.slice(1).find(Boolean);
    const detail = about === undefined ? '' : ` (${about})`;
    const values: Readonly<Record<string, string>> = { day, level, system, subject, count, earlier, detail };
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  };
}
