import { annict } from './adapters/annict'
import { bangumiData } from './adapters/bangumi-data'
import { kiroku } from './adapters/kiroku'
import { syobocal } from './adapters/syobocal'
import type { AnySource } from './source'

/** In the order in which they run. */
export const allSources: readonly AnySource[] = [kiroku, syobocal, annict, bangumiData]
