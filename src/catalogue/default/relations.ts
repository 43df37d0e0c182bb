/** Ids at MyAnimeList and AniList; undefined if a rule does not give them. */
export interface RelatedIds {
  readonly mal?: number | undefined
  readonly anilist?: number | undefined
}

/** Numbers after `count` of one work are those of another one from 1 to `length`. */
export interface Relation {
  readonly from: RelatedIds
  readonly count: number
  readonly to: RelatedIds
  /** Undefined if the rule leaves it open. */
  readonly length: number | undefined
}

/** What the rules say of a work. */
export interface RelatedCount {
  /** The numbers before those of its continuation. */
  readonly before: number | undefined
  /** As how many the numbers of another work continue in it. */
  readonly ranges: readonly number[]
}

/** Episode counts implied by the rules. `works`: all that the catalogue has. */
export function relatedCounts(
  relations: readonly Relation[],
  works: readonly RelatedIds[],
): (ids: RelatedIds) => RelatedCount {
  const ours = byIds(works.map((ids) => [ids, ids] as const))
  const told = relations.filter(({ count, to, length = 0 }) => {
    // A long continuation that is no work of its own here may belong to this one.
    const isOurs = ours(to).length > 0 || length <= aFewSpecials
    return count >= 1 && isOurs
  })
  const before = byIds(told.map(({ from, count }) => [from, count] as const))
  const ranges = byIds(relations.flatMap(({ to, length }) => (length ? [[to, length] as const] : [])))
  return (ids) => {
    const counts = before(ids)
    return { before: counts.length > 0 ? Math.min(...counts) : undefined, ranges: ranges(ids) }
  }
}

const aFewSpecials = 4

/** By MyAnimeList id or, if there is nothing under it, AniList id. */
function byIds<T>(pairs: readonly (readonly [RelatedIds, T])[]): (ids: RelatedIds) => readonly T[] {
  const byMal = Map.groupBy(pairs, ([{ mal }]) => mal)
  const byAnilist = Map.groupBy(pairs, ([{ anilist }]) => anilist)
  return ({ mal, anilist }) => {
    const found = (mal && byMal.get(mal)) || (anilist && byAnilist.get(anilist)) || []
    return found.map(([, value]) => value)
  }
}
