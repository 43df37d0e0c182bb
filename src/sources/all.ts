import { annict } from './adapters/annict'
import type { AnySource } from './source'

/** In the order in which they run. */
export const allSources: readonly AnySource[] = [annict]
