import type { StatusKind } from '../../library/statuses'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { Row } from '../row'
import { compactDayIn, countIn, fieldsOf, idIn, instantIn, scoreIn, textIn } from './fields'
import { watchedOf } from './mal'
import { jsonReader } from './reader'

/** `gdpr_data.json`, which AniList gives out under "download account data". Scores are always out of 100. */
export const anilistGdpr = jsonReader('anilist-gdpr', /^lists\[\]\.series_id$/, async function* (file) {
  const reviews = await reviewsIn(file)
  for await (const { value } of jsonValues(file, '$.lists.*')) {
    const row = rowOf(value, reviews.get(textIn(fieldsOf(value).series_id)))
    yield fieldsOf(value).series_type === 0 ? row : { ...row, refs: [], skipped: 'not_anime' }
  }
})

/** The text of each review by the id of its anime. */
async function reviewsIn(file: InputFile): Promise<ReadonlyMap<string, string>> {
  const reviews = new Map<string, string>()
  for await (const { value } of jsonValues(file, '$.reviews.*')) {
    const { series_id, summary, text, private: isPrivate } = fieldsOf(value)
    const body = [textIn(summary), textIn(text)].filter((part) => part !== '').join('\n\n')
    if (isPrivate !== 1) reviews.set(textIn(series_id), body)
  }
  return reviews
}

function rowOf(value: unknown, review: string | undefined): Row {
  const entry = fieldsOf(value)
  const id = idIn(entry.series_id)
  const score = scoreIn(entry.score)
  return {
    sourceId: textIn(entry.series_id),
    title: '',
    refs: id === undefined ? [] : [{ site: 'anilist', id }],
    ...watchedOf(statuses[textIn(entry.status)], entry.status === 5, countIn(entry.progress)),
    score: score === undefined ? undefined : { value: score, scale: 100 },
    startedOn: compactDayIn(entry.started_on),
    finishedOn: compactDayIn(entry.finished_on),
    rewatches: countIn(entry.repeat),
    note: review ?? textIn(entry.notes),
    isPrivate: entry.private === 1,
    updatedAt: instantIn(`${textIn(entry.updated_at).replace(' ', 'T')}Z`),
  }
}

const statuses: Readonly<Record<string, StatusKind>> = {
  ...{ 0: 'watching', 1: 'wanna_watch', 2: 'watched', 3: 'stop_watching', 4: 'on_hold', 5: 'watching' },
}
