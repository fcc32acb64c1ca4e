import { type WarningResponse } from '@agate/client';
import { useWords } from '../../words/words-provider';

/** What a warning about a code signature is about: a file, an entitlement, or a bundle inside the app. */
const DETAIL =
  /The file (.+?) was |the entitlement ([^\s,]+)|((?:PlugIns|Extensions|Watch|AppClips|XPCServices|Frameworks)\/.+?\.(?:appex|app|xpc|framework|dylib))/;

/** The values of the texts, which are parts of the message. */
const VALUES: Readonly<Record<string, RegExp>> = {
  day: /(\d{4}-\d{2}-\d{2})/,
  level: /\bAPI (\d+)/,
  system: /\bAndroid (\d+)/,
  subject: /"([^"]+)"/,
  count: /^(\d+)/,
  earlier: /(?:last build|before), (?:as )?(.+?)\.(?: |$)/,
};

/** The id of a build, which says nothing to people. */
const ID = / \([\da-f]{8}-[\da-f-]{27}\)/;

/** Returns the text of a warning in the language of the dashboard, because the service sends English. */
export function useWarningText(): (warning: WarningResponse) => string {
  const { texts } = useWords().build.warning;
  return ({ code, message }) => {
    const valueOf = (name: string): string =>
      name === 'detail' ? detailOf(message) : (VALUES[name]?.exec(message)?.[1] ?? '');
    const text = texts[code]?.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name)) ?? message;
    return text.replace(ID, '');
  };
}

function detailOf(message: string): string {
  const about = DETAIL.exec(message)?.slice(1).find(Boolean);
  return about === undefined ? '' : ` (${about})`;
}
