import type { Correction } from './corrections'
import type { Fact } from './facts'
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

/** What tells the ids of a work; `correction` goes before all. */
export interface IdSources {
  item: Item | undefined
  fact: Fact | undefined
  correction: Correction | undefined
  row: ArmRow | undefined
  /** Whether another work of Annict's list has this id on MyAnimeList. */
  isForeign: (mal: number) => boolean
}

/**
 * What Annict's list says is so. An item with another work's id on MyAnimeList has its AniList and AniDB ids from there,
 * too: those are left out, or taken from the row of the id table that has the right one.
 */
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

function numberOn(item: Item | undefined, site: string): number | undefined {
  const id = Number(item && siteId(item, site))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

// `movie/372058`, `tv/1429` or `tv/1429/season/0/episode/36`, without the title TMDB puts behind a number in links.
const tmdbId = (item: Item) =>
  /^(?:movie|tv)\/\d+(?:\/season\/\d+(?:\/episode\/\d+)?)?/.exec(siteId(item, 'tmdb') ?? '')?.[0]
