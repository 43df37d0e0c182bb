import { type ArmRow, type Item, siteId } from './sources'

/** Finds arm's row of an item: by its MyAnimeList id, else by its AniList id. */
export type FindArmRow = (item: Item) => ArmRow | undefined

export function armFinder(rows: ArmRow[]): FindArmRow {
  const byMal = new Map(rows.flatMap((row) => (row.mal_id ? [[String(row.mal_id), row]] : [])))
  const byAnilist = new Map(rows.flatMap((row) => (row.anilist_id ? [[String(row.anilist_id), row]] : [])))
  return (item) => byMal.get(siteId(item, 'mal') ?? '') ?? byAnilist.get(siteId(item, 'aniList') ?? '')
}
