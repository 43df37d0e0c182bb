import { jsonValues } from './file/json'
import { fieldsOf, textIn } from './readers/fields'
import type { Contents } from './readers/reader'

/** Where API answers say that there are more pages: AniList, Kitsu, MyAnimeList. */
const places = [
  { place: /^[^.[]+\.hasNextChunk$/, path: '$.*.hasNextChunk' },
  { place: /^(?:data|\[\])\.[^.[]+\.hasNextChunk$/, path: '$.*.*.hasNextChunk' },
  { place: /^\[\]\.data\.[^.[]+\.hasNextChunk$/, path: '$.*.data.*.hasNextChunk' },
  { place: /^links\.next$/, path: '$.links' },
  { place: /^paging\.next$/, path: '$.paging' },
] as const

/** Whether a file is one page of a list, or several without the last one. Throws a `RefusedFile`. */
export async function isPart(contents: Pick<Contents, 'file' | 'places'>): Promise<boolean> {
  const known = [...contents.places]
  const paths = places.filter(({ place }) => known.some((one) => place.test(one))).map(({ path }) => path)
  if (paths.length === 0) return false
  let last: unknown
  for await (const { value } of jsonValues(contents.file, ...paths)) last = value
  const next = typeof last === 'object' ? fieldsOf(last).next : last
  return next === true || textIn(next) !== ''
}
