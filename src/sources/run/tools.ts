import type { Database } from 'bun:sqlite'
import type { Store } from '../../db/open'
import type { SourceFetch } from '../fetch/source-query'
import type { Known } from '../known'

export interface RunTools {
  readonly store: Pick<Store, 'handle' | 'read' | 'write'>
  readonly fetch: SourceFetch
  knownFrom(handle: Database): Known
  /** Epoch milliseconds. */
  now(): number
  random(length: number): Uint8Array
  readonly signal: AbortSignal
  onProgress?(text: string): void
}
