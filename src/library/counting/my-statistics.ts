import { sql } from 'kysely'
import Type from 'typebox'
import { defineCommand } from '../../api/command'
import { nullable } from '../../api/paging'
import { wordParam } from '../../api/param-kinds'
import { type ParamValues, param } from '../../api/params'
import { integer, text, word } from '../../api/schema'
import { mediaLabels } from '../../catalogue/labels'
import { preparedSql } from '../../db/prepared'
import { invalidParams } from '../../http/errors'
import { integerBetween } from '../../values/number'
import { timeZone } from '../../values/time'
import { ratingStates } from '../ratings'
import { type Count, dayLength, monthOfDay, weekdayFromMonday } from './count-plays'
import { begunKinds, meanOf, scoresOf, tenths } from './count-works'
import { monthOfYear, monthText, type Period, yearPeriod } from './period'
import { readStatistics, type Statistics } from './statistics'

const mediaWords = Object.keys(mediaLabels)

const params = {
  year: param(integerBetween(1900, 9998), 'Only what was watched in this year', 2025),
  from: param(
    monthOfYear,
    'The first month, instead of `year`; 1900-01 by default if `until` is sent',
    '2025-04',
  ),
  until: param(
    monthOfYear,
    'The last month, which counts too; the present one by default if `from` is sent',
    '2026-03',
  ),
  media: wordParam(mediaWords, 'Only works of this medium'),
  time_zone: param(timeZone, "IANA time zone; the caller's own by default", 'Asia/Tokyo'),
}

const episodesAndFilms = {
  episodes: integer('Records of any lap', 96),
  films: integer('Viewings of works without episodes', 2),
}

const countsOf = (names: readonly string[], what: string) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, integer(`${what} ${name}`, 12)])))

/** An extension (D90). */
export const myStatistics = defineCommand({
  method: 'GET',
  path: '/v1/me/stats',
  tag: 'Records',
  summary: 'Extension: what the caller watched, in figures',
  description:
    'Of all time, or of `year`, or from `from` until `until`. What was watched at an unknown time counts only in totals of all ' +
    'time; a date without a day, only where all of it is in the period. Days begin at midnight.',
  params,
  answers: () =>
    Type.Object({
      from: nullable(text('The first month; null for all time', '2025-01')),
      until: nullable(text('The last month', '2025-12')),
      time_zone: text('IANA time zone', 'Asia/Tokyo'),
      media: nullable(word(mediaWords, 'The only medium counted')),
      ...episodesAndFilms,
      works_finished: integer('Works with the status watched that were finished in the period', 61),
      minutes: integer(
        'Estimated: where the length of a work is unknown, it is that usual for its medium',
        28_920,
      ),
      undated: integer('Episodes and films at an unknown time, of all time', 312),
      days: integer('Days on which something was watched', 213),
      longest_streak: integer('Days in a row', 39),
      current_streak: integer('Days in a row until today or yesterday', 12),
      episodes_per_week: nullable(
        Type.Number({ description: 'Episodes and films, from the first to the last day', examples: [21.4] }),
      ),
      years: Type.Array(Type.Object({ year: integer('Year', 2025), ...episodesAndFilms })),
      months: Type.Array(Type.Object({ month: text('Month', '2025-07'), ...episodesAndFilms })),
      weekdays: Type.Array(integer('Episodes and films of a weekday, from Monday', 170)),
      hours: Type.Array(integer('Episodes and films of an hour of the day, from 0:00', 40)),
      media_counts: Type.Array(
        Type.Object({
          media: word(mediaWords, 'Medium'),
          works: integer('Works', 54),
          episodes: integer('Their episodes', 1100),
        }),
      ),
      decades: Type.Array(
        Type.Object({ decade: integer('Its first year', 2020), works: integer('Works', 44) }),
      ),
      ratings: countsOf(ratingStates, 'Works rated'),
      scores: Type.Array(integer('Works with a number from 1 to 10, from 11 to 20, and so on', 3)),
      mean_score: nullable(Type.Number({ description: 'Of these numbers', examples: [78.4] })),
      completion: countsOf(begunKinds, 'Works begun that are'),
      rewatched: Type.Array(
        Type.Object({ work_id: integer('The work', 10079), times: integer('Times after the first', 1) }),
      ),
    }),
  run: async (sent, { deps, viewer }) => {
    const now = deps.now()
    const read = deps.readAs(viewer.userId)
    const [own] = await zoneOf(read, { user: viewer.userId })
    return shown(
      await readStatistics(read, viewer.userId, {
        period: periodOf(sent, now),
        media: sent.media,
        timeZone: sent.time_zone ?? own?.time_zone ?? 'UTC',
        dayBegins: 0,
        now,
      }),
    )
  },
})

const zoneOf = preparedSql<{ time_zone: string | null }, { user: number }>(
  (slot) => sql`select time_zone from users where id = ${slot('user')}`,
)

/** Throws invalid_params for a year and months together, and for a period that ends before it begins. */
function periodOf({ year, from, until }: ParamValues<typeof params>, now: number): Period | undefined {
  const isOfMonths = from !== undefined || until !== undefined
  if (year !== undefined) {
    if (isOfMonths) throw invalidParams('year must not be sent together with from or until.')
    return yearPeriod(year)
  }
  if (!isOfMonths) return undefined
  const first = from ?? yearPeriod(1900).from
  const period = { from: first, until: until ?? Math.max(first, monthOfDay(Math.floor(now / dayLength))) }
  if (period.until < period.from) throw invalidParams('until must not be before from.')
  return period
}

function shown({ plays, works, days, choice }: Statistics) {
  const { period, media, timeZone: time_zone } = choice
  const ratings = [...works.ratings.values()]
  const scores = scoresOf(works)
  const weekdays = Array.from({ length: 7 }, () => 0)
  for (const [day, number] of plays.days)
    weekdays[weekdayFromMonday(day)] = (weekdays[weekdayFromMonday(day)] ?? 0) + number
  return {
    from: period === undefined ? null : monthText(period.from),
    until: period === undefined ? null : monthText(period.until),
    time_zone,
    media: media ?? null,
    episodes: plays.episodes,
    films: plays.films,
    works_finished: works.finished.length,
    minutes: plays.minutes,
    undated: plays.undated,
    days: plays.days.size,
    longest_streak: days.longest?.length ?? 0,
    current_streak: days.current?.length ?? 0,
    episodes_per_week: days.perWeek ?? null,
    years: inOrder(plays.years).map(([year, count]) => ({ year, ...count })),
    months: inOrder(plays.months).map(([month, count]) => ({ month: monthText(month), ...count })),
    weekdays,
    hours: Array.from({ length: 24 }, (_, hour) =>
      plays.when.reduce((sum, day) => sum + (day[hour] ?? 0), 0),
    ),
    media_counts: works.media.map((count) => ({ ...count })),
    decades: works.decades.map(([decade, number]) => ({ decade, works: number })),
    ratings: wordCounts(ratingStates, (word) => ratings.filter(({ rating }) => rating === word).length),
    scores: tenths(scores),
    mean_score: meanOf(scores) ?? null,
    completion: wordCounts(begunKinds, (kind) => works.completion[kind].length),
    rewatched: works.rewatched.map((one) => ({ ...one })),
  }
}

const inOrder = (counts: ReadonlyMap<number, Count>) => [...counts].sort(([one], [other]) => one - other)

const wordCounts = <Word extends string>(words: readonly Word[], count: (word: Word) => number) =>
  Object.fromEntries(words.map((word) => [word, count(word)]))
