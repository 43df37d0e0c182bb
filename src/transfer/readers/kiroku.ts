import { statusKinds } from '../../library/statuses'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { Media, OwnEntry, OwnReview, Play, Row } from '../row'
import { countIn, type Fields, fieldsOf, instantIn, partialDateIn, textIn } from './fields'
import { episodeOf, playOf, refsOf, reviewOf } from './kiroku-items'
import type { Contents, Reader } from './reader'

/** The file of `kiroku user export`, or the zip of all formats with it. A row is a work with everything about it. */
export const kiroku: Reader = {
  source: 'kiroku',
  recognises: (contents) => fileIn(contents) !== undefined,
  rows: (contents) => rowsOf(fileIn(contents)),
}

const fileIn = ({ file, places, members }: Contents): InputFile | undefined =>
  members.get('kiroku.json') ?? (ownPlaces.every((place) => places.has(place)) ? file : undefined)

const ownPlaces = ['exported_at', 'profile.two_step_since']

const sections = ['works', 'records', 'reviews', 'statuses', 'laps', 'skips', 'notes'] as const

/** Bounded by the limits of a file: each of its lists covers all works, so they are joined here. */
interface Known {
  work: Fields
  status?: Fields
  note?: OwnEntry['note']
  readonly plays: Play[]
  readonly reviews: OwnReview[]
  readonly laps: OwnEntry['laps'][number][]
  readonly skips: OwnEntry['skips'][number][]
}

async function* rowsOf(file: InputFile | undefined): AsyncGenerator<Row> {
  if (file === undefined) return
  const works = new Map<string, Known>()
  for await (const { value, keys } of jsonValues(file, ...sections.map((name) => `$.${name}.*`))) {
    const section = sections.find((name) => name === keys[0])
    const item = fieldsOf(value)
    const work = section === 'works' ? item : workOf(item)
    const id = textIn(work.id)
    const known = works.get(id) ?? { work, plays: [], reviews: [], laps: [], skips: [] }
    works.set(id, known)
    if (section === 'works') known.work = work
    else if (section !== undefined) take[section](known, item)
  }
  for (const known of works.values()) yield rowOf(known)
}

/** Skips name their work through the episode. */
const workOf = ({ work, episode }: Fields): Fields =>
  work === undefined ? { id: fieldsOf(episode).work_id } : fieldsOf(work)

type Take = (known: Known, item: Fields) => void

const take: Readonly<Record<Exclude<(typeof sections)[number], 'works'>, Take>> = {
  records: (known, item) => known.plays.push(playOf(item)),
  reviews: (known, item) => known.reviews.push(reviewOf(item)),
  statuses: (known, item) => {
    known.status = item
  },
  laps: (known, { number, started_at }) =>
    known.laps.push({ number: countIn(number) ?? 0, startedAt: instantIn(started_at) ?? 0 }),
  skips: (known, { episode, lap, created_at }) =>
    known.skips.push({
      ...episodeOf(episode),
      lap: countIn(lap) ?? 1,
      skippedAt: instantIn(created_at) ?? 0,
    }),
  notes: (known, { text, updated_at }) => {
    known.note = { text: textIn(text), updatedAt: instantIn(updated_at) ?? 0 }
  },
}

function rowOf({ work, status, note, plays, reviews, laps, skips }: Known): Row {
  const kind = statusKinds.find((known) => known === status?.kind)
  const hasNothing = [plays, reviews, laps, skips].every(({ length }) => length === 0)
  const isUnknown = status !== undefined && kind === undefined
  return {
    sourceId: textIn(work.id),
    title: textIn(work.title),
    refs: refsOf(work),
    year: countIn(work.season_year),
    media: media.find((known) => known === work.media),
    status: kind,
    plays,
    rating: reviews.at(-1)?.ratings.overall,
    note: reviews.at(-1)?.body,
    startedOn: partialDateIn(status?.started_on),
    finishedOn: partialDateIn(status?.finished_on),
    rewatches: countIn(status?.rewatches),
    updatedAt: instantIn(status?.changed_at),
    own: { reviews, laps, skips, note },
    ...(hasNothing && status === undefined && note === undefined && { skipped: 'nothing_to_import' }),
    ...(isUnknown && { error: `statuses.kind must be one of ${statusKinds.join(', ')}` }),
  }
}

const media: readonly Media[] = ['tv', 'ova', 'movie', 'web', 'other']
