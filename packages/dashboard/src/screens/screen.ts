import { type Area } from '../words/words';

/** A screen: its address, and what it shows first. The page of the service preloads the file, the texts and the requests. */
export interface Screen<Path extends string, Search extends string, File, Name extends keyof File> {
  /** The pattern of the router. */
  readonly path: Path;
  /** The page of the documents that answers questions about the screen, with its anchor: `dashboard#builds`. Absent before the login. */
  readonly help?: string;
  /** The parameters of the address. Each is a text. */
  readonly search?: readonly Search[];
  /** The areas of the texts that the screen shows immediately. */
  readonly words?: readonly Area[];
  /** The requests that the screen sends first, besides those of every screen. */
  readonly requests?: readonly string[];
  readonly file: () => Promise<File>;
  /** The name of the component in the file. */
  readonly component: Name;
}

/** Declares a screen. Its types become those of the router. */
export const screen = <
  const Path extends string,
  File extends Record<string, unknown>,
  Name extends keyof File & string,
  const Search extends string = never,
>(
  declared: Screen<Path, Search, File, Name>,
): Screen<Path, Search, File, Name> => declared;
