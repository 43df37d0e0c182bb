import { type RawBuilder, sql } from 'kysely'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import { findRows } from '../../catalogue/search/find'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { once } from '../../lib/once'
import { mostWorksAtOnce } from '../../library/acts/bulk-status'
import { currentLap } from '../../library/laps'
import { type Progress, progressOf } from '../../library/progress/progress'
import { finishedOn, startedOn } from '../../library/status-dates'
import type { StatusKind } from '../../library/statuses'
import { chosenTitle, type Titles } from '../../pages/title'
import type { Visit } from '../../web/visit'
import { isOwn, readerOf, type ShownUser } from '../parts/find-user'
import { isChosen, type LibrarySort, type LibraryView } from './library-view'

export interface ShelfRow {
  readonly work: ShelfWork
  readonly progress: Progress | undefined
}

export interface ShelfPage {
  readonly rows: readonly ShelfRow[]
  readonly count: number
  /** Ids of those selected on other pages, up to the number whose status can be set at once. */
  readonly others: readonly number[]
  readonly page: number
  readonly pages: number
}

/** About 50 KB. */
const pageSizes = { table: 30, covers: 60 }

export async function shelfPage(visit: Visit, user: ShownUser, asked: LibraryView): Promise<ShelfPage> {
  const { seen: read } = visit.deps
  const { shelf, sort, medium, year, view } = asked
  const all = await shelfKeys[sort](read, { user: user.id, shelf, medium, year })
  // Hidden works stay in their user's library, where nothing can be chosen for them (D42).
  const keys = isOwn(visit, user) && !asked.isSelecting ? all : all.filter(({ hidden }) => hidden === 0)
  const found = await withText(visit, keys, asked.text)
  const size = pageSizes[view]
  const pages = Math.ceil(found.length / size)
  const page = Math.min(asked.page, Math.max(1, pages))
  const ids = inOrder(visit, found, asked).map(({ id }) => id)
  const [start, end] = [(page - 1) * size, page * size]
  const workIds = ids.slice(start, end)
  const others = [...ids.slice(0, start), ...ids.slice(end)]
    .filter((id) => isChosen(asked, id))
    .slice(0, mostWorksAtOnce - workIds.length)
  return { rows: await rowsOf(visit, user, workIds), count: found.length, others, page, pages }
}

/** A work on a shelf, with its sort key. */
interface ShelfKey extends Titles {
  readonly id: number
  readonly hidden: number
  readonly key: number | null
  readonly changed_at: number
}

type Filter = { user: number; shelf: string; medium: string; year: number }

const keysBy = (key: (slot: SlotOf<Filter>) => RawBuilder<number | null>) =>
  preparedSql<ShelfKey, Filter>(
    (slot) => sql<ShelfKey>`
    with ${viewings(slot)}
    select works.id, works.hidden, ${key(slot)} as key, statuses.changed_at, works.title, works.title_en, works.title_ro
    from statuses join works on works.id = statuses.work_id left join viewings on viewings.work_id = works.id
    where statuses.user_id = ${slot('user')} and (${slot('shelf')} = 'all' or kind = ${slot('shelf')})
      and (${slot('medium')} = '' or media = ${slot('medium')}) and (${slot('year')} = 0 or season_year = ${slot('year')})`,
  )

type OfUser = SlotOf<{ user: number }>

const places = (state: RawBuilder<unknown>) =>
  sql`case ${state} when 'great' then 4 when 'good' then 3 when 'average' then 2 when 'bad' then 1 end`

/** The number, otherwise 40, 60, 80 or 100 for the word. */
const points = sql`ifnull(score, (${places(sql.ref('rating_state'))} + 1) * 20)`

/** Per work: when a film was last watched, and the last rating of the whole as `ShelfWork` has it. Uses reviews_user. */
const viewings = (slot: OfUser) => sql`viewings as materialized (
      select work_id, max(iif(watched_at_precision <> 'none', watched_at, null)) as at,
        max(iif(rating_overall_state is null and score is null, null,
          id * 1024 + ifnull(score, 0) * 8 + ifnull(${places(sql.ref('rating_overall_state'))}, 0))) % 1024 as rated
      from reviews where user_id = ${slot('user')} group by work_id)`

/** Uses records_user_work, like the two below. */
const lastRecord = (slot: OfUser) => sql<number>`(
      select watched_at from records where user_id = ${slot('user')} and records.work_id = works.id
        and watched_at_precision <> 'none' order by watched_at desc limit 1)`

const lastWatched = (slot: OfUser) => sql<number>`max(ifnull(${lastRecord(slot)}, 0), ifnull(viewings.at, 0))`

/** Counts the lap's records over known episodes: exact enough for sorting, and readable from the index. */
const watchedShare = (slot: OfUser) => sql<number>`(
      select count(*) from records where user_id = ${slot('user')} and records.work_id = works.id
        and lap = ${currentLap(slot('user'), sql.ref('works.id'))}
    ) * 1.0 / nullif(episodes_count, 0)`

const average = (slot: OfUser) => sql<number>`(
      select avg(${points}) from records where user_id = ${slot('user')} and records.work_id = works.id)`

/** Out of 100: the rating of the whole, otherwise the average of its episodes. */
const rating = (slot: OfUser) => sql<number>`ifnull(
      iif(viewings.rated >= 8, viewings.rated / 8, (viewings.rated + 1) * 20), ${average(slot)})`

const none = () => sql<null>`null`

/** Of a shelf, in any order. */
const shelfKeys: Readonly<Record<LibrarySort, ReturnType<typeof keysBy>>> = {
  recent: keysBy(lastWatched),
  changed: keysBy(none),
  title: keysBy(none),
  season: keysBy(() => sql<number>`season_rank`),
  progress: keysBy(watchedShare),
  rating: keysBy(rating),
}

interface ShelfWork extends CoveredWork, Titles {
  /** 1 if it is no longer in the catalogue. */
  readonly hidden: number
  readonly episodes_count: number
  readonly no_episodes: number
  readonly kind: StatusKind
  /** 1 if only its user sees it. */
  readonly private: number
  readonly changed_at: number
  readonly started_on: string | null
  readonly finished_on: string | null
  /** Epoch milliseconds; 0 if never or unknown. */
  readonly last_at: number
  /** Of the whole: eight times the number, if there is one, plus the place of the word from 1. */
  readonly rated: number | null
  /** Of its episodes, out of 100. */
  readonly average: number | null
}

/** `works` is a JSON array of ids. In any order. */
const shelfWorks = preparedSql<ShelfWork, { user: number; works: string; reader: number }>(
  (slot) => sql<ShelfWork>`
    with ${viewings(slot)}
    select works.id, works.hidden, title, title_en, title_ro, episodes_count, no_episodes, kind, changed_at, statuses.private,
      ${coverColumnsSql(slot('reader'))},
      ${startedOn} as started_on, ${finishedOn} as finished_on, ${lastWatched(slot)} as last_at, viewings.rated, ${average(slot)} as average
    from statuses join works on works.id = statuses.work_id left join viewings on viewings.work_id = works.id
    where statuses.user_id = ${slot('user')} and statuses.work_id in (select value from json_each(${slot('works')}))`,
)

/** The years of the works in a user's library, latest first. */
export const yearsOf = preparedSql<{ year: number }, { user: number }>(
  (slot) => sql<{ year: number }>`
    select distinct season_year as year from statuses join works on works.id = statuses.work_id
    where statuses.user_id = ${slot('user')} and hidden = 0 and season_year is not null order by season_year desc`,
)

/** Keeps those that a search of the catalogue finds. */
async function withText({ deps }: Visit, keys: readonly ShelfKey[], text: string): Promise<ShelfKey[]> {
  if (text === '') return [...keys]
  const hits = new Set(await findRows(deps.seen, 'works', text, false))
  const lower = text.toLowerCase()
  const has = ({ title, title_en, title_ro }: ShelfKey) =>
    [title, title_en, title_ro].some((one) => one.toLowerCase().includes(lower))
  return keys.filter((key) => hits.has(key.id) || has(key))
}

/** Highest first, those without a key last; titles in ascending order. */
function inOrder(visit: Visit, keys: ShelfKey[], { sort }: LibraryView): readonly ShelfKey[] {
  if (sort === 'title') {
    const titled = keys.map((key) => ({ key, text: chosenTitle(visit, key).text }))
    const { compare } = collators[visit.preferences.titleLanguage === 'native' ? 'ja' : 'en']()
    return titled
      .sort((one, other) => compare(one.text, other.text) || one.key.id - other.key.id)
      .map(({ key }) => key)
  }
  return keys.sort(
    (one, other) =>
      (other.key ?? -1) - (one.key ?? -1) || other.changed_at - one.changed_at || other.id - one.id,
  )
}

const collators = {
  ja: once(() => new Intl.Collator('ja', { numeric: true })),
  en: once(() => new Intl.Collator('en', { numeric: true })),
}

async function rowsOf(visit: Visit, user: ShownUser, workIds: readonly number[]): Promise<ShelfRow[]> {
  const { deps } = visit
  const asked = { user: user.id, works: JSON.stringify(workIds), reader: readerOf(visit) }
  const byId = new Map((await shelfWorks(deps.seen, asked)).map((work) => [work.id, work]))
  const progress = await progressOf(deps.seen, { userId: user.id, workIds, now: visit.now })
  return workIds.flatMap((id) => {
    const work = byId.get(id)
    return work === undefined ? [] : [{ work, progress: work.hidden === 0 ? progress.get(id) : undefined }]
  })
}
