import { use } from 'react';
import { type LanguageCode } from './language';
import { type Area, type Words } from './words';

type File = () => Promise<Partial<Words>>;

const FILES = import.meta.glob(['./{en,de}/*.ts', '!./*/{every-screen,index}.ts']) as Record<string, File>;

/** Areas of the texts by language: loaded, or being loaded. */
const loaded = new Map<string, Words[Area]>();
const underWay = new Map<string, Promise<Words[Area]>>();

/** Loads the texts of one area, such as `billing`. */
function loadArea(language: LanguageCode, area: Area): Promise<Words[Area]> {
  const key = `./${language}/${area}.ts`;
  const before = underWay.get(key);
  if (before) return before;
  const work = (FILES[key] as File)().then((file) => {
    const texts = file[area] as Words[Area];
    loaded.set(key, texts);
    return texts;
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
 * Loads a language: the texts of every screen, and the areas on the current screen. Any other area is loaded when a component reads it,
 * which suspends until its file has arrived.
 */
export async function loadWords(language: LanguageCode): Promise<Words> {
  const { everyScreen } = language === 'de' ? await import('./de/every-screen') : await import('./en/every-screen');
  await Promise.all([...loaded.keys()].map((key) => loadArea(language, areaOf(key))));
  current = language;
  const words = { ...everyScreen };
  for (const key of Object.keys(FILES).filter((file) => file.startsWith(`./${language}/`))) {
    const get = (): Words[Area] => loaded.get(key) ?? use(loadArea(language, areaOf(key)));
    Object.defineProperty(words, areaOf(key), { get });
  }
  return words as Words;
}

const areaOf = (key: string): Area => key.slice('./en/'.length, -'.ts'.length) as Area;
