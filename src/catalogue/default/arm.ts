import type { Fact } from './sources'
import { type ArmRow, type BangumiItem, siteId } from './sources'

export type FindArmRow = (item: BangumiItem) => ArmRow | undefined

export function armFinder(rows: ArmRow[]): FindArmRow {
  const byMal = new Map(rows.flatMap((row) => (row.mal_id ? [[String(row.mal_id), row]] : [])))
  const byAnilist = new Map(rows.flatMap((row) => (row.anilist_id ? [[String(row.anilist_id), row]] : [])))
  return (item) => byMal.get(siteId(item, 'mal') ?? '') ?? byAnilist.get(siteId(item, 'aniList') ?? '')
}

/** Finds by MyAnimeList id, or by Annict id if row or work has no MyAnimeList id. */
export function armFinderOfFacts(rows: ArmRow[]): (fact: Fact) => ArmRow | undefined {
  const byMal = new Map(rows.flatMap((row) => (row.mal_id ? [[row.mal_id, row]] : [])))
  const byAnnict = Map.groupBy(rows, ({ annict_id }) => annict_id)
  return ({ mal, annict }) => {
    const row = mal === undefined ? undefined : byMal.get(mal)
    return row ?? byAnnict.get(annict)?.find(({ mal_id }) => mal_id === undefined || mal === undefined)
  }
}
