import { sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { isCounted } from '../../catalogue/estimate/broadcast-rule'
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
import type { LapProgress } from './progress'

interface OwnState {
  readonly kind: StatusKind | null
  readonly lap: number
  readonly note: string
  /** From the newest review or viewing with a rating. */
  readonly rating: RatingState | null
}

export async function ownState(read: Read, user: number, work: number): Promise<OwnState> {
  const [state] = await select(read, { user, work })
  return state ?? { kind: null, lap: 1, note: '', rating: null }
}

const select = prepared((read, slot: SlotOf<{ user: number; work: number }>) => {
  const own = sql`user_id = ${slot('user')} and work_id = ${slot('work')}`
  return read.selectNoFrom([
    sql<StatusKind | null>`(select kind from statuses where ${own})`.as('kind'),
    currentLap(slot('user'), slot('work')).as('lap'),
    sql<string>`ifnull((select text from notes where ${own}), '')`.as('note'),
    sql<RatingState | null>`(select rating_overall_state from ${seenBy('reviews', 'reviews_user')}
      where ${own} and rating_overall_state is not null order by id desc limit 1)`.as('rating'),
  ])
})

export type ShownWork = NonNullable<Awaited<ReturnType<typeof shownWork>>[number]>

/** The work in the path, with or without a slug. Redirects to the survivor of a merge (D67); hidden ones are not found. */
export async function findWork(visit: Visit): Promise<ShownWork> {
  const [digits] = (visit.params.id ?? '').split('-', 1)
  const id = readOrNotFound(positiveInteger, digits)
  const [work] = await shownWork(visit.deps.seen, { id, user: visit.session?.userId ?? 0 })
  if (work === undefined) throw await absence(visit, id)
  if (work.id === id) return work
  const path = returnPath(visit).replace(/^\/works\/[^/?]+/, `/works/${work.id}`)
  throw new AnswerInstead(seeOther(visit, path))
}

/** Whoever has recorded or planned a work that was hidden since reads what became of it. */
async function absence({ deps, session }: Visit, work: number): Promise<PageProblem> {
  const own = session === undefined ? [] : await ownTraces(deps.seen, { user: session.userId, work })
  if (own.length === 0) return pageNotFound()
  return new PageProblem(404, (t) => [t.problem.hiddenWorkTitle, t.problem.hiddenWork])
}

const ownTraces = preparedSql<{ one: number }, { user: number; work: number }>(
  (slot) => sql<{ one: number }>`
    with asked as (select ${survivor('works', slot('work'))} as id)
    select 1 as one from asked where exists (select 1 from records where user_id = ${slot('user')} and work_id = asked.id)
      or exists (select 1 from reviews where user_id = ${slot('user')} and work_id = asked.id)
      or exists (select 1 from statuses where user_id = ${slot('user')} and work_id = asked.id)`,
)

const shownWork = prepared((read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('works')
    .select(['id', 'title', 'title_kana', 'title_en', 'title_ro'])
    .select(coverColumns(slot('user')))
    .select(['released_on', 'official_site_url', 'wikipedia_url', 'twitter_username'])
    .select(['syobocal_tid', 'mal_anime_id', 'no_episodes', 'episodes_count', 'watchers_count'])
    .select(['broadcast_begin', 'broadcast_end', 'broadcast_interval'])
    .select(sql.raw<number>(isCounted).as('is_counted'))
    .where('id', '=', survivor('works', slot('id')))
    .where('hidden', '=', 0),
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

/** The title as plain text, for the names of buttons. */
export const nameOf = ({ visit, work }: Pick<WorkView, 'visit' | 'work'>): string =>
  chosenTitle(visit, work).text
