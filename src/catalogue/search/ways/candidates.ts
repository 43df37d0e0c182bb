import { type RawBuilder, sql } from 'kysely'
import type { SlotOf } from '../../../db/prepared'
import { keyKinds, keysPerRow } from '../keys/keys'
import { perKind } from '../per-kind'
import type { SearchKind } from '../texts'

export interface CandidateText {
  readonly row: number
  readonly kind: number
  readonly key: string
  readonly words: string
}

export const beginningWith = perKind<CandidateText, { key: string; end: string }>(
  (kind, slot) => sql`
    select id / ${perRow} as row, kind, key, '' as words from ${keysOf(kind)} as k
    where key >= ${slot('key')} and key < ${slot('end')} and (kind < ${initials} or key = ${slot('key')})`,
)

/** Keys that contain a text, out of those found by terms, except known rows'. Non-Latin keys come without letters. */
export const holding = perKind<CandidateText, { terms: string; sought: string; known: string }>(
  (kind, slot) => sql`
    select k.id / ${perRow} as row, k.kind, iif(${isLatin(slot)}, k.key, '') as key, iif(${isLatin(slot)}, k.words, '') as words
    from ${matching(kind, slot('terms'))}
    where f.rowid / ${perRow} not in (select value from json_each(${slot('known')}))
      and instr(k.key, ${slot('sought')}) > 0`,
)

const isLatin = (slot: SlotOf<{ sought: string }>) => sql`${slot('sought')} < char(128)`

export const matchingTerms = perKind<CandidateText, { terms: string; limit: number }>(
  (kind, slot) => sql`
    select k.id / ${perRow} as row, k.kind, k.key, k.words from ${matching(kind, slot('terms'))} limit ${slot('limit')}`,
)

export const keysAround = perKind<CandidateText, { key: string; limit: number }>(
  (kind, slot) => sql`
    select * from (
      select id / ${perRow} as row, kind, key, '' as words from ${keysOf(kind)}
      where key < ${slot('key')} and kind < ${initials} order by key desc limit ${slot('limit')})
    union all select * from (
      select id / ${perRow}, kind, key, '' from ${keysOf(kind)}
      where key > ${slot('key')} and kind < ${initials} order by key limit ${slot('limit')})`,
)

const keysOf = (kind: SearchKind) => sql.table(`${kind}_search_keys`)

/** `cross join` fixes the order: terms first, then their keys one by one. */
const matching = (kind: SearchKind, terms: RawBuilder<string>) => {
  const index = sql.table(`${kind}_key_search`)
  return sql`(select rowid from ${index} where ${index} match ${terms}) as f cross join ${keysOf(kind)} as k on k.id = f.rowid`
}

const perRow = sql.lit(keysPerRow)
const initials = sql.lit(keyKinds.initials)
