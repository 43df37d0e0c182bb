import { longestListName, longestListNote, longestListText } from '../../social/lists/write-list'
import { createCounts } from '../counts'
import type { ListPlace } from '../row'
import { textIn } from './fields'

const upTo = (most: number, text: string): string => [...text].slice(0, most).join('')

/** A name of a list as it would be here; '' if it has none. */
export const listName = (value: unknown): string =>
  upTo(longestListName, textIn(value).normalize('NFC').replaceAll(/\s+/g, ' ').trim()).trim()

export const listText = (value: unknown): string => upTo(longestListText, textIn(value).trim())

export const listNote = (value: unknown): string => upTo(longestListNote, textIn(value).trim())

/** The lists of a row, left out if there are none. */
export const inLists = (places: readonly ListPlace[]): { readonly lists?: readonly ListPlace[] } =>
  places.length === 0 ? {} : { lists: places }

/** Collects which works are in which lists, from a file that says so apart from their entries. Bounded (`RefusedFile`). */
export class ListPlaces {
  readonly #places = new Map<string, ListPlace[]>()
  readonly #sizes = new Map<string, number>()
  readonly #counts = createCounts()

  /** A work by any key; without a place it is the next one. A work is in a list once. */
  add(key: string, place: ListPlace): void {
    this.#counts.add('included')
    const known = this.#places.get(key) ?? []
    if (known.some(({ name }) => name === place.name)) return
    const next = (this.#sizes.get(place.name) ?? 0) + 1
    this.#sizes.set(place.name, next)
    this.#places.set(key, [...known, { ...place, place: place.place ?? next }])
  }

  /** Takes them out, so that what is left has no entry. */
  take(key: string): readonly ListPlace[] {
    const places = this.#places.get(key) ?? []
    this.#places.delete(key)
    return places
  }

  get left(): IterableIterator<readonly [string, readonly ListPlace[]]> {
    return this.#places.entries()
  }
}
