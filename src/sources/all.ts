import { animeOfflineDatabase } from './adapters/anime-offline-database'
import { annict } from './adapters/annict'
import { bangumiArchive } from './adapters/bangumi-archive'
import { bangumiData } from './adapters/bangumi-data'
import { kiroku } from './adapters/kiroku'
import { madb } from './adapters/madb'
import { syobocal } from './adapters/syobocal'
import { wikidata } from './adapters/wikidata'
import type { AnySource } from './source'

/** In the order in which they run. */
export const allSources: readonly AnySource[] = [
  kiroku,
  syobocal,
  annict,
  wikidata,
  bangumiData,
  madb,
  animeOfflineDatabase,
  bangumiArchive,
]
