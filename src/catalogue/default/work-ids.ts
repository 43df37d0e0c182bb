import { type ArmRow, type BangumiItem, type Correction, type Fact, siteId } from './sources'

/** Keyed by the importer's namespaces. Only annict is sure to be unique. */
export interface WorkIds {
  annict?: number | undefined
  mal?: number | undefined
  anilist?: number | undefined
  anidb?: number | undefined
  syobocal?: number | undefined
  bangumi?: number | undefined
  tmdb?: string | undefined
}

export interface IdSources {
  item: BangumiItem | undefined
  fact: Fact | undefined
  correction: Correction | undefined
  row: ArmRow | undefined
  /** Whether another work in Annict's list has this MyAnimeList id. */
  isForeign: (mal: number) => boolean
}

/** Annict's list wins. If an item's MyAnimeList id is foreign, so are its AniList and AniDB ids: `row` replaces them. */
export function workIds({ item, fact, correction, row, isForeign }: IdSources): WorkIds {
  const ownMal = numberOn(item, 'mal')
  const isMistaken =
    ownMal !== undefined && ownMal !== fact?.mal && (fact?.mal !== undefined || isForeign(ownMal))
  const own = (site: string) => (isMistaken ? undefined : numberOn(item, site))
  return {
    annict: fact?.annict,
    mal: correction?.mal ?? fact?.mal ?? own('mal'),
    anilist: correction?.anilist ?? own('aniList') ?? row?.anilist_id,
    anidb: correction?.anidb ?? own('anidb'),
    syobocal: fact?.syobocal ?? (isMistaken ? undefined : row?.syobocal_tid),
    bangumi: numberOn(item, 'bangumi'),
    tmdb: item && tmdbId(item),
  }
}

function numberOn(item: BangumiItem | undefined, site: string): number | undefined {
  const id = Number(item && siteId(item, site))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

// `movie/372058`, `tv/1429` or `tv/1429/season/0/episode/36`, without the title that TMDB appends in links.
const tmdbId = (item: BangumiItem) =>
  /^(?:movie|tv)\/\d+(?:\/season\/\d+(?:\/episode\/\d+)?)?/.exec(siteId(item, 'tmdb') ?? '')?.[0]
