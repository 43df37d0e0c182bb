import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { type Precision, watchedText } from '../../library/watched'
import type { MemberVisit } from '../../web/visit'
import type { ViewingTexts } from './form'

const hour = 3_600_000

export interface ViewingStart {
  /** How often the member has seen the work. */
  readonly times: number
  readonly texts: ViewingTexts
}

/** Proposes the date of the viewing logged just before, for members who are entering a list of films. */
export async function viewingStart({ deps, session }: MemberVisit, workId: number): Promise<ViewingStart> {
  const user = session.userId
  const [row] = await timesSeen(deps.read, { user, work: workId })
  const [last] = await lastViewing(deps.read, { user, since: deps.now() - hour })
  const texts = { comment: '', ...(last === undefined ? today : dateOf(last)) }
  return { times: row?.times ?? 0, texts }
}

const today = { precision: 'time', watched_at: '' }

interface LastViewing {
  readonly at: number
  readonly precision: Precision
  readonly season_year: number | null
}

function dateOf({ at, precision, season_year }: LastViewing) {
  if (precision === 'time') return today
  const text = watchedText(at, precision) ?? ''
  if (precision === 'none') return { precision, watched_at: '' }
  // Seen in the year of release: the next work may have another one.
  if (precision === 'year' && text === String(season_year)) return { precision: 'aired', watched_at: text }
  return { precision: 'date', watched_at: text }
}

// uses reviews_user
const lastViewing = prepared((read, slot: SlotOf<{ user: number; since: number }>) =>
  read
    .selectFrom('reviews')
    .innerJoin('works', 'works.id', 'reviews.work_id')
    .select([sql<number>`watched_at`.as('at'), sql<Precision>`watched_at_precision`.as('precision')])
    .select('season_year')
    .where('user_id', '=', slot('user'))
    .where('reviews.created_at', '>', slot('since'))
    .where('watched_at', 'is not', null)
    .orderBy('reviews.id', 'desc')
    .limit(1),
)

// uses reviews_user
const timesSeen = prepared((read, slot: SlotOf<{ user: number; work: number }>) =>
  read
    .selectFrom('reviews')
    .select(({ fn }) => fn.countAll<number>().as('times'))
    .where('user_id', '=', slot('user'))
    .where('work_id', '=', slot('work'))
    .where('watched_at', 'is not', null),
)
