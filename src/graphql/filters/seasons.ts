import { GraphQLError } from 'graphql'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { seasonRanks } from '../../catalogue/labels'
import type { ListFilter } from '../declare/field'
import { textsGiven } from './rules'

type Ranks = ReturnType<typeof seasonRanks>

/** Works of any of the seasons. `rank` is SQL for `works.season_rank`. */
export const seasons = (rank: RawBuilder<number | null>): ListFilter => ({
  type: '[String!]',
  bind: (slugs: readonly string[]) => {
    const given = textsGiven('seasons', slugs)
    return given && JSON.stringify(ranksOf(given).flatMap(each))
  },
  where: (slot) => sql`${rank} in (select value from json_each(${slot}))`,
})

/** Works of that season or later, and works without one. */
export const seasonFrom = (rank: RawBuilder<number | null>): ListFilter =>
  bound(
    rank,
    ({ from }) => from,
    (known, slot) => sql`(${known} >= ${slot} or ${known} is null)`,
  )

/** Works of that season or earlier. */
export const seasonUntil = (rank: RawBuilder<number | null>): ListFilter =>
  bound(
    rank,
    ({ to }) => to,
    (known, slot) => sql`${known} <= ${slot}`,
  )

const bound = (
  rank: RawBuilder<number | null>,
  pick: (ranks: Ranks) => number,
  compare: (rank: RawBuilder<number | null>, slot: RawBuilder<never>) => RawBuilder<SqlBool>,
): ListFilter => ({
  type: 'String',
  bind: (slug: string) => pick(ranksOf([slug])[0] as Ranks),
  where: (slot) => compare(rank, slot),
})

/** Throws for a slug that is not a season. */
function ranksOf(slugs: readonly string[]): Ranks[] {
  const wrong = slugs.filter((slug) => !/^[0-9]{4}-(?:all|winter|spring|summer|autumn)$/.test(slug))
  if (wrong.length > 0) throw new GraphQLError(`Invalid season(s): ${wrong.slice(0, 10).join(', ')}`)
  return slugs.map((slug) => seasonRanks({ year: Number(slug.slice(0, 4)), season: slug.slice(5) }))
}

const each = ({ from, to }: Ranks) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
