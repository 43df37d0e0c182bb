import type { Read } from '../../../db/open'
import { writtenKey } from '../keys/written-key'
import type { SearchKind } from '../texts'
import { keysAround } from './candidates'
import { soundOf } from './direct'
import { type Hits, scores } from './scores'

/** Longest common prefix with adjacent keys: a generated reading is often right up to one misread word. */
export async function findNeighbours(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  for (const sought of [writtenKey(text), soundOf(text)]) {
    if (sought.length < leastLength) continue
    for (const { row, key } of await keysAround(kind)(read, { key: sought, limit: mostKeys })) {
      const share = commonLength(sought, key) / sought.length
      if (share >= leastShare) hits.add(row, scores.neighbour * share)
    }
  }
}

export function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

const leastLength = 8
const leastShare = 0.35
const mostKeys = 20
