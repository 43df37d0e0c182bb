import { sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import { prepared, preparedSql } from '../../db/prepared'
import { progressOf } from '../../library/progress/progress'
import { type Habit, habitsOf } from '../../library/showings/habit'
import { dateOfDay } from '../../library/showings/own-slot'
import { airingIds, trackedIds } from '../../library/showings/queries'
import { type KnownShowings, type Showing, showingsOf } from '../../library/showings/showings'
import { dayStart, readerTime } from '../../pages/local-format'
import { chosenTitle, type Titles } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import type { EpisodeNumber } from '../parts/episode-name'
import { ranksOf, seasonAfter, seasonAt } from '../parts/season'
import type { CalendarChoice, CalendarView } from './view'

export interface CalendarWork extends CoveredWork, Titles {
  readonly media: string
  readonly no_episodes: number
  readonly released_on: string
  readonly season_rank: number | null
}

export interface CalendarEntry extends Showing {
  readonly work: CalendarWork
  /** As the reader's clock shows it. */
  readonly clock: string
}

/** A work with an unseen episode and no time. */
export interface UntimedWork {
  readonly work: CalendarWork
  readonly next: (EpisodeNumber & { readonly id: number | undefined }) | undefined
  readonly habit: Habit | undefined
}

export interface CalendarDay {
  readonly day: number
  /** Films of which only the date is known. */
  readonly releases: readonly CalendarWork[]
  readonly entries: readonly CalendarEntry[]
  /** Works that the reader usually watches on this day. */
  readonly habits: readonly UntimedWork[]
}

export interface Calendar {
  readonly days: readonly CalendarDay[]
  readonly untimed: readonly UntimedWork[]
  /** How many works have programmes on other channels only. */
  readonly elsewhere: number
  /** How many works the reader wants to watch or is watching. */
  readonly works: number
}

/** What a day, week or month shows (D80, D81, D82). */
export async function calendarOf(
  visit: MemberVisit,
  view: CalendarView,
  choice: CalendarChoice,
): Promise<Calendar> {
  const { deps, session, now, preferences } = visit
  const user = session.userId
  const span = { from: dayStart(preferences, view.first), until: dayStart(preferences, view.last + 1) }
  const tracked = (await trackedIds(deps.seen, { user })).map(({ id }) => id)
  const ids = choice.of === 'mine' ? tracked : await allWorks(visit, view, span)
  const showings = await showingsOf(deps.seen, {
    ...{ user, works: ids, now, isOnAll: choice.on === 'all', ...span },
  })
  const works = await worksById(visit, ids)
  const waiting = choice.of === 'mine' ? await untimedWorks(visit, works, showings) : []
  const days = daysOf(visit, view, { showings, works, choice, waiting })
  return {
    days,
    // A full month has no room for their list.
    untimed: view.span === 'month' ? [] : waiting.filter(({ habit }) => habit === undefined),
    elsewhere: showings.elsewhere.length,
    works: tracked.length,
  }
}

/** Of the seasons of the span, or watched by somebody here. */
async function allWorks(visit: MemberVisit, view: CalendarView, span: { from: number; until: number }) {
  const seasons = [view.first, view.last].map((day) => seasonAt(day * 86_400_000, 'UTC'))
  const ranks = seasons.map((season) => ranksOf(season).from)
  const rows = await airingIds(visit.deps.seen, { ...span, seasons: JSON.stringify(ranks) })
  const films = await filmsOf(visit.deps.seen, {
    ...{ from: dateOfDay(view.first), until: dateOfDay(view.last), seasons: JSON.stringify(ranks) },
  })
  return [...new Set([...rows, ...films].map(({ id }) => id))]
}

/** Uses works_season. */
const filmsOf = preparedSql<{ id: number }, { from: string; until: string; seasons: string }>(
  (slot) => sql`
    select id from works where hidden = 0 and season_rank in (select value from json_each(${slot('seasons')}))
      and no_episodes = 1 and released_on between ${slot('from')} and ${slot('until')}
    limit 200`,
)

async function worksById({ deps, session }: MemberVisit, ids: readonly number[]) {
  const rows = await calendarWorks(deps.seen, { user: session.userId, works: JSON.stringify(ids) })
  return new Map(rows.map((work) => [work.id, work]))
}

const calendarWorks = prepared<CalendarWork, { user: number; works: string }>((read, slot) =>
  read
    .selectFrom('works')
    .select(['works.id', 'title', 'title_en', 'title_ro', 'media', 'no_episodes', 'released_on'])
    .select('season_rank')
    .select(coverColumns(slot('user')))
    .where(sql<boolean>`works.id in (select value from json_each(${slot('works')}))`)
    .where('hidden', '=', 0),
)

interface CalendarParts {
  readonly showings: KnownShowings
  readonly works: ReadonlyMap<number, CalendarWork>
  readonly choice: CalendarChoice
  readonly waiting: readonly UntimedWork[]
}

function daysOf(
  visit: MemberVisit,
  { first, last }: CalendarView,
  found: CalendarParts,
): readonly CalendarDay[] {
  const { showings, works, choice, waiting } = found
  const isChosen = (work: CalendarWork) =>
    choice.of === 'mine' || choice.medium === '' || work.media === choice.medium
  const entries = showings.shown.flatMap((showing) => {
    const work = works.get(showing.workId)
    if (work === undefined || !isChosen(work)) return []
    const { clock, dayNumber } = readerTime(visit, showing.at)
    return [{ ...showing, work, clock, day: dayNumber }]
  })
  const byDay = Map.groupBy(entries, ({ day }) => day)
  const films = [...works.values()].filter((work) => work.no_episodes === 1 && isChosen(work))
  const byDate = Map.groupBy(films, ({ released_on }) => released_on)
  const byHabit = Map.groupBy(waiting, ({ habit }) => (habit ? readerTime(visit, habit.at).dayNumber : -1))
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const day = first + at
    return {
      day,
      releases: byDate.get(dateOfDay(day)) ?? [],
      entries: inOrder(visit, byDay.get(day) ?? []),
      habits: byHabit.get(day) ?? [],
    }
  })
}

/** Of one minute by title. */
const inOrder = (visit: MemberVisit, entries: readonly CalendarEntry[]): readonly CalendarEntry[] =>
  [...entries].sort(
    (one, other) =>
      Math.floor(one.at / 60_000) - Math.floor(other.at / 60_000) ||
      chosenTitle(visit, one.work).text.localeCompare(chosenTitle(visit, other.work).text, 'ja'),
  )

/** Works being watched, and those planned of this season and the next. */
async function untimedWorks(
  visit: MemberVisit,
  known: ReadonlyMap<number, CalendarWork>,
  { works, slots, shown, elsewhere }: KnownShowings,
): Promise<readonly UntimedWork[]> {
  const { deps, session, now, preferences } = visit
  const timed = new Set([...slots.keys(), ...shown.map(({ workId }) => workId), ...elsewhere])
  const current = currentSeasons(now)
  const asked = [...known.values()].flatMap(({ id, no_episodes, season_rank }) => {
    if (no_episodes === 1 || timed.has(id)) return []
    return works.get(id)?.kind === 'watching' || current.has(season_rank ?? 0) ? [id] : []
  })
  const progress = await progressOf(deps.seen, { userId: session.userId, workIds: asked, now })
  const open = asked.filter((id) => {
    const one = progress.get(id)
    if (one?.next !== undefined) return one.next.airing === undefined
    // All that is known is recorded, of a list that is still growing.
    return one?.mayGrow === true && current.has(known.get(id)?.season_rank ?? 0)
  })
  const context = { user: session.userId, now, timeZone: preferences.timeZone }
  const habits = await habitsOf(deps.seen, open, context)
  return open.flatMap((id) => {
    const [work, next] = [known.get(id), progress.get(id)?.next]
    if (work === undefined) return []
    const episode = next && { id: next.id, number: next.number, number_text: next.numberText }
    return [{ work, next: episode, habit: habits.get(id) }]
  })
}

/** The ranks of this season, of the one before, which may still run, and of the next one. */
function currentSeasons(now: number): ReadonlySet<number> {
  const season = seasonAt(now, 'Asia/Tokyo')
  return new Set([-1, 0, 1].map((by) => ranksOf(seasonAfter(season, by) ?? season).from))
}
