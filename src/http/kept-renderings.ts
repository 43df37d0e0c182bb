import type { Bytes } from './bytes'
import type { Resource } from './resource'

/** Renderings of rows, each good for one version of its row; no more of them than fit. */
export interface KeptRenderings {
  get(of: Resource, id: number, version: number): Bytes | undefined
  set(of: Resource, id: number, version: number, json: Bytes): void
}

interface Rendering {
  readonly shelf: Map<number, Rendering>
  readonly id: number
  readonly version: number
  readonly json: Bytes
  /** Whether somebody asked for it since it was last in turn to go. */
  used: boolean
}

/** What a rendering takes besides its own bytes, as measured. */
const besides = 250

/**
 * Keeps renderings up to `capacity` bytes, those of all resources together. Beyond that the oldest go first, but one that
 * was used gets a second turn: a walk through everything there is leaves those that are asked for all the time.
 */
export function keepRenderings(capacity: number): KeptRenderings {
  const shelves = new Map<Resource, Map<number, Rendering>>()
  /** From the oldest on. */
  const turns = new Set<Rendering>()
  let held = 0
  const putLast = (rendering: Rendering) => {
    rendering.used = false
    turns.delete(rendering)
    turns.add(rendering)
  }
  const forget = (gone: Rendering) => {
    gone.shelf.delete(gone.id)
    turns.delete(gone)
    held -= gone.json.length + besides
  }
  // One walk that goes on: a new one would pass all who have gone already, each time.
  let walk = turns.values()
  const makeRoom = () => {
    while (held > capacity) {
      const { value: next } = walk.next()
      if (next === undefined) walk = turns.values()
      else if (next.used) putLast(next)
      else forget(next)
    }
  }
  return {
    get: (of, id, version) => {
      const found = shelves.get(of)?.get(id)
      if (found?.version !== version) return undefined
      found.used = true
      return found.json
    },
    set: (of, id, version, json) => {
      const shelf = shelves.get(of) ?? new Map<number, Rendering>()
      shelves.set(of, shelf)
      const outdated = shelf.get(id)
      if (outdated) forget(outdated)
      const rendering = { shelf, id, version, json, used: false }
      shelf.set(id, rendering)
      turns.add(rendering)
      held += json.length + besides
      makeRoom()
    },
  }
}
