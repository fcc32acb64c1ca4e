import { type LanguageCode } from './language';
import { type Area, type Words } from './words';

type File = () => Promise<Partial<Words>>;

const FILES = import.meta.glob(['./{en,de}/*.ts', '!./*/{every-screen,index}.ts']) as Record<string, File>;

/** Areas of the texts by language: loaded, or being loaded. */
const loaded = new Map<string, Words[Area]>();
const underWay = new Map<string, Promise<void>>();

/** Loads the texts of one area, such as `billing`. */
function loadArea(language: LanguageCode, area: Area): Promise<void> {
  const key = `./${language}/${area}.ts`;
  const before = underWay.get(key);
  if (before) return before;
  const work = (FILES[key] as File)().then((file) => {
    loaded.set(key, file[area] as Words[Area]);
  });
  // A file that could not be loaded is requested again the next time.
  work.catch(() => underWay.delete(key));
  underWay.set(key, work);
  return work;
}

let current: LanguageCode = 'en';

/** Loads areas of the texts before they are shown, in the current language. */
export const loadAreas = async (areas: readonly Area[]): Promise<void> => {
  await Promise.all(areas.map((area) => loadArea(current, area)));
};

/**
 * Loads a language: the texts of every screen, and the areas on the current screen. A text of any other area suspends the component that
 * reads it until its file has arrived.
 */
export async function loadWords(language: LanguageCode): Promise<Words> {
  const { everyScreen } = language === 'de' ? await import('./de/every-screen') : await import('./en/every-screen');
  await Promise.all([...loaded.keys()].map((key) => loadArea(language, key.slice(5, -3) as Area)));
  current = language;
  return new Proxy(everyScreen as unknown as Words, {
    get(target, area) {
      const key = `./${language}/${String(area)}.ts`;
      if (area in target || !(key in FILES)) return target[area as Area];
      const texts = loaded.get(key);
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- how a component suspends
      if (texts === undefined) throw loadArea(language, area as Area);
      return texts;
    },
  });
}
