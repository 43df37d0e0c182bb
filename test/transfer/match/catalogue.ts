import type { Read } from '../../../src/db/open'
import { openStore } from '../../../src/db/open'
import type { Choices } from '../../../src/transfer/match/choices'
import { createMatcher } from '../../../src/transfer/match/create-matcher'
import type { Match } from '../../../src/transfer/match/match'
import type { ListRow } from '../../../src/transfer/row'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'

/** A catalogue of a few works, and what rows of lists match in it. */
export interface MatchedCatalogue {
  readonly store: CatalogueStore
  readonly read: Read
  match(row: Partial<ListRow>, choices?: Choices): Promise<readonly Match[]>
  close(): Promise<void>
}

export async function matchedCatalogue(works: readonly object[]): Promise<MatchedCatalogue> {
  const store = await catalogueStore()
  const open = openStore(store.directory, store.handle)
  await store.load('annict', works)
  return {
    store,
    read: open.read,
    match: (row, choices = new Map()) => createMatcher(open.read, { choices })(rowOf(row)),
    close: () => open.close(),
  }
}

export const rowOf = (fields: Partial<ListRow>): ListRow => ({
  sourceId: '1',
  title: '',
  refs: [],
  ...fields,
})

/** What a match says: work, way, reason and growth. */
export const told = ({ workId, matchedBy, reason, growsTo }: Match): readonly unknown[] => [
  workId,
  matchedBy,
  reason,
  growsTo,
]

/** A work of the made-up catalogue under the id that Annict assigns. */
export const anime = (id: number, title: string, more: object = {}) => ({
  type: 'work',
  key: `annict:${id}`,
  title,
  media: 'tv',
  ...more,
})

/** With that many episodes, which no source listed. */
export const estimated = (count: number, begin: string) => ({
  episodes_estimate: count,
  released_on: begin,
  season_name: `${begin.slice(0, 4)}-spring`,
})
