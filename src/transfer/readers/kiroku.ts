import type { Media } from '../../catalogue/default/sources'
import { newOpinion, ratingStates } from '../../library/ratings'
import { statusKinds } from '../../library/statuses'
import { precisions } from '../../library/watched'
import { visibilities } from '../../social/lists/write-list'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import {
  favorites,
  type ListedEpisode,
  type ListPlace,
  type ListRow,
  type OwnEntry,
  type OwnReview,
  type OwnShares,
  type Play,
  type WorkRef,
} from '../row'
import { countIn, type Fields, fieldsOf, instantIn, objectsIn, partialDateIn, textIn } from './fields'
import { inLists, ListPlaces, listName, listNote, listText } from './list-places'
import type { Contents, ListReader } from './reader'
import { refAt, scoreOf } from './row-parts'

/** The file of `kiroku user export`, or the zip of all formats with it. A row is a work with everything about it. */
export const kiroku: ListReader = {
  source: 'kiroku',
  recognises: (contents) => fileIn(contents) !== undefined,
  rows: (contents) => rowsOf(fileIn(contents)),
  lists: async function* (contents) {
    const file = fileIn(contents)
    if (file === undefined) return
    for await (const { value } of jsonValues(file, '$.lists.*')) {
      const list = fieldsOf(value)
      yield {
        ...{ name: listName(list.name), text: listText(list.text), isOrdered: list.is_ordered === true },
        visibility: visibilities.find((known) => known === list.visibility),
        createdAt: instantIn(list.created_at),
      }
    }
  },
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

async function* rowsOf(file: InputFile | undefined): AsyncGenerator<ListRow> {
  if (file === undefined) return
  const works = new Map<string, Known>()
  const places = await placesIn(file)
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
  for (const known of works.values()) yield kirokuRow(known, places.take(textIn(known.work.id)))
}

/** Of the works, by their ids. Favorites may also be people and characters. */
async function placesIn(file: InputFile): Promise<ListPlaces> {
  const places = new ListPlaces()
  for await (const { value, keys } of jsonValues(file, '$.lists.*', '$.favorites.*')) {
    const item = fieldsOf(value)
    const [work, name] = [textIn(item.work_id), listName(item.name)]
    if (keys[0] === 'favorites') {
      if (work !== '') places.add(work, { name: favorites, place: countIn(item.position) })
    } else if (name !== '')
      for (const one of objectsIn(item.items)) {
        const at = { note: listNote(one.note), addedAt: instantIn(one.added_at) }
        places.add(textIn(fieldsOf(one.work).id), { name, ...at })
      }
  }
  return places
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

/** A row of `records` in kiroku's own file. There may be very many, so defaults are left out. */
function playOf(record: Fields): Play {
  const { watchedAt, precision = 'none' } = watchedOf(record)
  const [comment, rating] = [textIn(record.comment), ratingOf(record.rating_state)]
  const { episode, listed } = episodeOf(record.episode)
  const [points, createdAt] = [pointsIn(record.rating), instantIn(record.created_at)]
  const shares = sharesIn(record)
  // Files from before there were scores have the same number as `rating` only.
  const score = 'score' in record ? scoreIn(record) : (newOpinion({ rating: points }).score ?? undefined)
  return {
    episode,
    ...(watchedAt !== undefined && { watchedAt }),
    ...(rating !== undefined && { rating }),
    ...(score !== undefined && { score }),
    ...(comment !== '' && { comment }),
    own: {
      lap: countIn(record.lap) || 1,
      precision,
      ...(listed !== undefined && { listed }),
      ...(points !== undefined && { points }),
      ...(record.is_modified === true && { isModified: true }),
      ...(shares !== undefined && { shares }),
      ...markIn(record),
      ...(createdAt !== watchedAt && { createdAt }),
    },
  }
}

/** Adds `listed` if the number alone is ambiguous: two episodes may have it. */
function episodeOf(value: unknown): { episode: number; listed?: ListedEpisode } {
  const { number, sort_number } = fieldsOf(value)
  const [count, sortNumber] = [countIn(number), Number.isInteger(sort_number) ? Number(sort_number) : 0]
  if (count !== undefined && sortNumber === count * 10) return { episode: count }
  const listed = { number: typeof number === 'string' ? number : null, sortNumber }
  return { episode: count ?? Math.max(0, Math.round(sortNumber / 10)), listed }
}

/** Version 1 of the file gives the time of creation for an unknown time. */
function watchedOf({ watched_at, watched_at_precision }: Fields) {
  const said = precisions.find((known) => known === watched_at_precision)
  const watchedAt = said === 'none' ? undefined : instantIn(watched_at)
  if (watchedAt !== undefined) return { watchedAt, precision: said ?? 'time' }
  return { precision: said === undefined ? undefined : ('none' as const) }
}

const pointsIn = (rating: unknown) =>
  typeof rating === 'number' && rating >= 0 && rating <= 5 ? rating : undefined

function sharesIn({ share_twitter, share_facebook }: Fields): OwnShares | undefined {
  const shares = { twitter: share_twitter === true, facebook: share_facebook === true }
  return shares.twitter || shares.facebook ? shares : undefined
}

const markIn = ({ private: mark }: Fields) => (typeof mark === 'boolean' ? { isPrivate: mark } : {})

function reviewOf(review: Fields): OwnReview {
  return {
    body: textIn(review.body),
    ratings: {
      overall: ratingOf(review.rating_overall_state),
      animation: ratingOf(review.rating_animation_state),
      music: ratingOf(review.rating_music_state),
      story: ratingOf(review.rating_story_state),
      character: ratingOf(review.rating_character_state),
    },
    score: scoreIn(review),
    ...watchedOf(review),
    createdAt: instantIn(review.created_at),
    modifiedAt: instantIn(review.modified_at),
    shares: sharesIn(review),
    ...markIn(review),
  }
}

const scoreIn = ({ score }: Fields): number | undefined =>
  typeof score === 'number' && Number.isInteger(score) && score >= 1 && score <= 100 ? score : undefined

const ratingOf = (state: unknown) => ratingStates.find((known) => known === state)

/** kiroku's id comes first: it is this instance's if the titles agree. TMDB ids of series are listed without seasons. */
function refsOf({ id, ids }: Fields): readonly WorkRef[] {
  const elsewhere = fieldsOf(ids)
  const film = textIn(elsewhere.tmdb)
  return [
    ...refAt('work', id),
    ...sites.flatMap((site) => refAt(site, elsewhere[site])),
    ...(/^movie\/\d+$/.test(film) ? [{ site: 'tmdb', id: film } as const] : []),
  ]
}

const sites = ['annict', 'mal', 'anilist', 'anidb', 'bangumi'] as const

function kirokuRow(known: Known, lists: readonly ListPlace[]): ListRow {
  const { work, status, note, plays, reviews, laps, skips } = known
  const kind = statusKinds.find((known) => known === status?.kind)
  const hasNothing = [plays, reviews, laps, skips, lists].every(({ length }) => length === 0)
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
    score: scoreOf(reviews.at(-1)?.score, 100),
    note: reviews.at(-1)?.body,
    startedOn: partialDateIn(status?.started_on),
    finishedOn: partialDateIn(status?.finished_on),
    rewatches: countIn(status?.rewatches),
    updatedAt: instantIn(status?.changed_at),
    ...inLists(lists),
    own: { reviews, laps, skips, note, ...markIn(status ?? {}) },
    ...(hasNothing && status === undefined && note === undefined && { skipped: 'nothing_to_import' }),
    ...(isUnknown && { error: `statuses.kind must be one of ${statusKinds.join(', ')}` }),
  }
}

const media: readonly Media[] = ['tv', 'ova', 'movie', 'web', 'other']
