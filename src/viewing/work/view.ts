import { sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { isCounted, isGrowing } from '../../catalogue/estimate/broadcast-rule'
import { survivor } from '../../catalogue/survivors'
import { seenBy } from '../../db/guard/audience'
import type { Read } from '../../db/open'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import { currentLap } from '../../library/laps'
import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import { chosenTitle } from '../../pages/title'
import { positiveInteger } from '../../values/number'
import { seeOther } from '../../web/page'
import { AnswerInstead, PageProblem, pageNotFound } from '../../web/problem'
import { returnPath } from '../../web/return-to'
import { readOrNotFound, type Visit } from '../../web/visit'
import type { EpisodeNumber } from '../parts/episode-name'

interface OwnState {
  readonly kind: StatusKind | null
  /** 1 if only the reader sees the status, or will see a new one. */
  readonly private: number
  readonly lap: number
  readonly note: string
  /** From the newest review or viewing with a rating. */
  readonly rating: RatingState | null
  readonly score: number | null
  /** 1 for one of the reader's favourites. */
  readonly favourite: number
}

export async function ownState(read: Read, user: number, work: number): Promise<OwnState> {
  const [state] = await select(read, { user, work })
  return state ?? { kind: null, private: 0, lap: 1, note: '', rating: null, score: null, favourite: 0 }
}

const select = prepared((read, slot: SlotOf<{ user: number; work: number }>) => {
  const own = sql`user_id = ${slot('user')} and work_id = ${slot('work')}`
  const newestRated = sql`from ${seenBy('reviews', 'reviews_user')}
    where ${own} and (rating_overall_state is not null or score is not null) order by id desc limit 1`
  return read.selectNoFrom([
    sql<StatusKind | null>`(select kind from statuses where ${own})`.as('kind'),
    sql<number>`ifnull((select private from statuses where ${own}),
      ifnull((select private_by_default from users where id = ${slot('user')}), 0))`.as('private'),
    currentLap(slot('user'), slot('work')).as('lap'),
    sql<string>`ifnull((select text from notes where ${own}), '')`.as('note'),
    sql<RatingState | null>`(select rating_overall_state ${newestRated})`.as('rating'),
    sql<number | null>`(select score ${newestRated})`.as('score'),
    sql<number>`exists (select 1 from favorites where ${own})`.as('favourite'),
  ])
})

export type ShownWork = NonNullable<Awaited<ReturnType<typeof workWithId>>[number]>

/** The work in the path, with or without a slug. Redirects to the survivor of a merge (D67); hidden ones are not found. */
export async function findWork(visit: Visit): Promise<ShownWork> {
  const work = await findOwnWork(visit)
  if (work.hidden === 0) return work
  throw new PageProblem(404, (t) => [t.problem.hiddenWorkTitle, t.problem.hiddenWork])
}

/** The same, where whoever has something of a hidden work finds it: `hidden` tells (D42). */
export async function findOwnWork(visit: Visit): Promise<ShownWork> {
  const [digits] = (visit.params.id ?? '').split('-', 1)
  const id = readOrNotFound(positiveInteger, digits)
  const user = visit.session?.userId ?? 0
  const [work] = await workWithId(visit.deps.seen, { id, user })
  if (work === undefined || (work.hidden !== 0 && !(await hasTraces(visit, work.id)))) throw pageNotFound()
  if (work.id === id) return work
  const path = returnPath(visit).replace(/^\/works\/[^/?]+/, `/works/${work.id}`)
  throw new AnswerInstead(seeOther(visit, path))
}

const hasTraces = async ({ deps, session }: Visit, work: number): Promise<boolean> =>
  session !== undefined && (await ownTraces(deps.seen, { user: session.userId, work })).length > 0

const ownTraces = preparedSql<{ one: number }, { user: number; work: number }>(
  (slot) => sql<{ one: number }>`
    with asked as (select ${slot('work')} as id)
    select 1 as one from asked where exists (select 1 from records where user_id = ${slot('user')} and work_id = asked.id)
      or exists (select 1 from reviews where user_id = ${slot('user')} and work_id = asked.id)
      or exists (select 1 from statuses where user_id = ${slot('user')} and work_id = asked.id)
      or exists (select 1 from notes where user_id = ${slot('user')} and work_id = asked.id)`,
)

const workWithId = prepared((read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('works')
    .select(['id', 'hidden', 'title', 'title_kana', 'title_en', 'title_ro'])
    .select(coverColumns(slot('user')))
    .select(['released_on', 'official_site_url', 'wikipedia_url', 'twitter_username'])
    .select(['syobocal_tid', 'mal_anime_id', 'no_episodes', 'episodes_count', 'watchers_count'])
    .select(['broadcast_begin', 'broadcast_end', 'broadcast_interval'])
    .select([sql.raw<number>(isCounted).as('is_counted'), sql.raw<number>(isGrowing).as('is_growing')])
    .where('id', '=', survivor('works', slot('id'))),
)

export interface MarkedEpisode extends EpisodeNumber {
  readonly id: number
  readonly isSeen: boolean
  readonly isSkipped: boolean
  readonly hasComment: boolean
  readonly wasSeen: boolean
}

/** A user's progress in the current lap of a work. */
interface LapProgress {
  readonly episodes: readonly MarkedEpisode[]
  /** The index of the first episode that is neither seen nor skipped; -1 if there is none. */
  readonly nextAt: number
  readonly seenCount: number
  /** The list may get further episodes (D62). */
  readonly isEstimated: boolean
  readonly numbers: ReadonlyMap<string, number>
}

interface ProgressQuery {
  readonly user: number
  readonly work: Pick<ShownWork, 'id' | 'is_growing'>
  readonly lap: number
}

export async function progressOf(read: Read, { user, work, lap }: ProgressQuery): Promise<LapProgress> {
  const rows = await marks(read, { user, work: work.id, lap })
  const episodes = rows.map(({ last_lap, commented, skipped, ...episode }) => ({
    ...episode,
    isSeen: last_lap !== null && last_lap >= lap,
    isSkipped: skipped === 1,
    hasComment: commented === 1,
    wasSeen: last_lap !== null,
  }))
  return {
    episodes,
    nextAt: episodes.findIndex(({ isSeen, isSkipped }) => !isSeen && !isSkipped),
    seenCount: episodes.filter(({ isSeen }) => isSeen).length,
    isEstimated: work.is_growing === 1,
    numbers: countNumbers(episodes),
  }
}

function countNumbers(episodes: readonly EpisodeNumber[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { number } of episodes) if (number !== null) counts.set(number, (counts.get(number) ?? 0) + 1)
  return counts
}

/** What "up to here" would record: the indexes of all episodes up to this one that are neither seen nor skipped. */
export const openUpTo = ({ episodes }: LapProgress, at: number): number[] =>
  episodes.slice(0, at + 1).flatMap(({ isSeen, isSkipped }, place) => (isSeen || isSkipped ? [] : [place]))

const marks = prepared((read, slot: SlotOf<{ user: number; work: number; lap: number }>) =>
  read
    .selectFrom('episodes')
    // uses records_user_episode
    .leftJoin('records', (join) =>
      join.on('records.user_id', '=', slot('user')).onRef('records.episode_id', '=', 'episodes.id'),
    )
    .select(['episodes.id', 'episodes.number', 'episodes.number_text'])
    .select([
      sql<number | null>`max(records.lap)`.as('last_lap'),
      sql<number | null>`max(records.has_comment)`.as('commented'),
      sql<number>`exists (select 1 from skips where skips.user_id = ${slot('user')}
        and skips.episode_id = episodes.id and skips.lap = ${slot('lap')})`.as('skipped'),
    ])
    .where('episodes.work_id', '=', slot('work'))
    .where('episodes.hidden', '=', 0)
    // uses episodes_work
    .groupBy(['episodes.sort_number', 'episodes.id'])
    .orderBy('episodes.sort_number')
    .orderBy('episodes.id'),
)

/** What several parts of a work's page need. */
export interface WorkView {
  readonly visit: Visit
  readonly work: ShownWork
  /** 0 for visitors. */
  readonly userId: number
  readonly own: OwnState
  readonly progress: LapProgress
  /** When episodes were first broadcast, by their ids, in epoch milliseconds. */
  readonly starts: ReadonlyMap<number, number>
}

/** Nobody knows how many episodes there are (D99). */
export const isOpenList = ({ work, progress }: Pick<WorkView, 'work' | 'progress'>): boolean =>
  progress.isEstimated && work.is_counted === 0

/** The title as plain text, for the names of buttons. */
export const nameOf = ({ visit, work }: Pick<WorkView, 'visit' | 'work'>): string =>
  chosenTitle(visit, work).text
