import type { StatusKind } from '../../library/statuses'
import { createCounts } from '../counts'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { ListPlace, ListRow } from '../row'
import { compactDayIn, countIn, entryOf, fieldsOf, instantIn, textIn } from './fields'
import { inLists, listName } from './list-places'
import { watchedOf } from './mal'
import { jsonReader } from './reader'
import { calledBy, paragraphs, scoreOf } from './row-parts'

/** `gdpr_data.json`, from AniList's "download account data". Scores are always out of 100. */
export const anilistGdpr = jsonReader('anilist-gdpr', /^lists\[\]\.series_id$/, async function* (file) {
  const [reviews, names] = [await reviewsIn(file), await customListsIn(file)]
  for await (const { value } of jsonValues(file, '$.lists.*')) {
    const id = textIn(fieldsOf(value).series_id)
    const row = { ...gdprRow(value, reviews.get(id)), ...inLists(listsOf(value, names)) }
    reviews.delete(id)
    yield fieldsOf(value).series_type === 0 ? row : { ...row, refs: [], skipped: 'not_anime' }
  }
  // For works on no list, the file does not say whether they are anime.
  for (const [id, note] of reviews) yield { ...gdprRow({ series_id: id }, note), mayBeOther: true }
})

/** Names of the custom lists of anime. */
async function customListsIn(file: InputFile): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { value } of jsonValues(file, '$.user.custom_lists.anime.*'))
    if (names.length < 1000) names.push(listName(value))
  return names
}

/** `custom_lists` of an entry: names or their numbers, in a list or as `{"0": true}`, or the JSON of one of these. */
function listsOf(value: unknown, names: readonly string[]): readonly ListPlace[] {
  const said = parsed(fieldsOf(value).custom_lists)
  const named = Array.isArray(said)
    ? said.map(textIn)
    : Object.entries(fieldsOf(said)).flatMap(([name, isIn]) => (isIn === true || isIn === 1 ? [name] : []))
  const found = named.map((name) =>
    names.includes(listName(name)) ? listName(name) : (names[Number(name)] ?? ''),
  )
  return [...new Set(found)].flatMap((name) => (name === '' ? [] : [{ name }]))
}

function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value
  } catch {
    return undefined
  }
}

/** The text of each review, by anime id. */
async function reviewsIn(file: InputFile): Promise<Map<string, string>> {
  const [reviews, counts] = [new Map<string, string>(), createCounts()]
  for await (const { value } of jsonValues(file, '$.reviews.*')) {
    const { series_id, summary, text, private: isPrivate } = fieldsOf(value)
    const body = paragraphs(textIn(summary), textIn(text))
    if (isPrivate !== 1) reviews.set(textIn(series_id), counts.kept(body))
  }
  return reviews
}

function gdprRow(value: unknown, review: string | undefined): ListRow {
  const entry = fieldsOf(value)
  return {
    ...calledBy('anilist', entry.series_id),
    title: '',
    ...watchedOf(entryOf(statuses, entry.status), entry.status === 5, countIn(entry.progress)),
    score: scoreOf(entry.score, 100),
    startedOn: compactDayIn(entry.started_on),
    finishedOn: compactDayIn(entry.finished_on),
    rewatches: countIn(entry.repeat),
    note: review ?? textIn(entry.notes),
    isPrivate: entry.private === 1,
    updatedAt: instantIn(`${textIn(entry.updated_at).replace(' ', 'T')}Z`),
  }
}

const statuses: Readonly<Record<string, StatusKind>> = {
  0: 'watching',
  1: 'wanna_watch',
  2: 'watched',
  3: 'stop_watching',
  4: 'on_hold',
  5: 'watching',
}
