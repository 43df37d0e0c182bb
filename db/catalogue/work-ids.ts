import { type ArmRow, type Item, siteId } from './sources'

/** A work's ids elsewhere, by the importer's namespaces. Only annict is sure to name one work alone. */
export interface WorkIds {
  annict?: number | undefined
  mal?: number | undefined
  anilist?: number | undefined
  anidb?: number | undefined
  syobocal?: number | undefined
  bangumi?: number | undefined
  tmdb?: string | undefined
}

export function workIds(item: Item, armRow: ArmRow | undefined, annict: number | undefined): WorkIds {
  return {
    annict,
    mal: numberOn(item, 'mal'),
    anilist: numberOn(item, 'aniList'),
    anidb: numberOn(item, 'anidb'),
    syobocal: armRow?.syobocal_tid,
    bangumi: numberOn(item, 'bangumi'),
    tmdb: tmdbId(item),
  }
}

function numberOn(item: Item, site: string): number | undefined {
  const id = Number(siteId(item, site))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

// `movie/372058`, `tv/1429` or `tv/1429/season/0/episode/36`, without the title TMDB puts behind a number in links.
const tmdbId = (item: Item) =>
  /^(?:movie|tv)\/\d+(?:\/season\/\d+(?:\/episode\/\d+)?)?/.exec(siteId(item, 'tmdb') ?? '')?.[0]
