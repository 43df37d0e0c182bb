import type { InputFile } from '../file/input-file'
import type { Row } from '../row'

/** What detection knows of a file before a reader is chosen. */
export type Contents =
  | { readonly kind: 'json'; readonly file: InputFile; readonly places: ReadonlySet<string> }
  | { readonly kind: 'xml'; readonly file: InputFile; readonly elements: ReadonlySet<string> }
  | { readonly kind: 'csv'; readonly file: InputFile; readonly columns: readonly string[] }
  | { readonly kind: 'archive'; readonly members: ReadonlyMap<string, InputFile> }

/** Reads the lists of one source, and knows nothing of works and users here. */
export interface Reader {
  readonly source: Source
  recognises(contents: Contents): boolean
  /** In the order of the file. Throws a `RefusedFile`. */
  rows(contents: Contents): AsyncGenerator<Row>
}

export const sources = [
  ...['mal', 'shikimori', 'anilist', 'anilist-gdpr', 'annict', 'annict-backup', 'kitsu', 'simkl', 'trakt'],
  ...['tvtime', 'yamtrack', 'ryot', 'mediatracker', 'neodb', 'bangumi', 'anime-planet', 'letterboxd'],
  ...['jellyfin-playback', 'tautulli', 'csv', 'kiroku'],
] as const
export type Source = (typeof sources)[number]

/** A reader of a JSON file that holds a value at one of `places`. */
export const jsonReader = (
  source: Source,
  places: RegExp,
  rows: (file: InputFile) => AsyncGenerator<Row>,
): Reader => ({
  source,
  recognises: (contents) =>
    contents.kind === 'json' && [...contents.places].some((place) => places.test(place)),
  rows: (contents) => (contents.kind === 'json' ? rows(contents.file) : none()),
})

/** A reader of a CSV file that has all of `columns`. */
export const csvReader = (
  source: Source,
  columns: readonly string[],
  rows: (file: InputFile) => AsyncGenerator<Row>,
): Reader => ({
  source,
  recognises: (contents) =>
    contents.kind === 'csv' && columns.every((column) => contents.columns.includes(column)),
  rows: (contents) => (contents.kind === 'csv' ? rows(contents.file) : none()),
})

async function* none(): AsyncGenerator<Row> {}
