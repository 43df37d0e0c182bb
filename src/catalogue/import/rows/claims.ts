import type { Database } from 'bun:sqlite'
import type { KindName } from '../kinds/field'
import { kinds } from '../kinds/kinds'

/** Which row a line of a pack led to. */
export interface Claim {
  readonly kind: KindName
  readonly id: number
}

/** The id of a claim to no row: a line that has nothing to say leaves a hash only. */
export const noRow = 0

/** What a source said before, what it has said again by now, and which rows that is about. */
export class Claims {
  readonly #handle: Database
  readonly #sourceId: number
  readonly #before: ReadonlyMap<number, number>
  readonly #seen = new Set<number>()
  readonly #taken = new Set<number>()
  readonly #write
  #unwritten: (string | number)[] = []
  #claimedBefore: ReadonlySet<number> | undefined

  constructor(handle: Database, sourceId: number, before: ReadonlyMap<number, number>) {
    this.#sourceId = sourceId
    this.#before = before
    this.#handle = handle
    this.#write = handle.query<never, (string | number)[]>(rememberSql(groupSize))
  }

  /** The claim of a line that was read before, word for word. */
  unchanged(hash: number): Claim | undefined {
    const place = this.#before.get(hash)
    if (place === undefined) return undefined
    this.#seen.add(hash)
    this.#taken.add(place)
    const kind = kinds[Math.floor(place / mostIds)]
    return kind && { kind: kind.name, id: place % mostIds }
  }

  /** Notes that a line is in the file, before any line is taken: what it is about, if it was read before, is its own. */
  foresee(hash: number): void {
    const place = this.#before.get(hash)
    if (place === undefined) return
    this.#seen.add(hash)
    this.#taken.add(place)
  }

  /** Whether the source has spoken before. */
  get hasAny(): boolean {
    return this.#before.size > 0
  }

  /** Whether a line was read before, word for word. */
  knows(hash: number): boolean {
    return this.#before.has(hash)
  }

  /** Whether this very line is in the file. */
  wasSeen(hash: number): boolean {
    return this.#seen.has(hash)
  }

  claim({ kind, id }: Claim, key: string, hash: number): void {
    this.#seen.add(hash)
    this.#taken.add(placeOf(kind, id))
    this.#unwritten.push(this.#sourceId, kind, key, hash, id)
    if (this.#unwritten.length < groupSize * 5) return
    this.#write.run(...this.#unwritten)
    this.#unwritten = []
  }

  /** Writes down the last claims; the database does not know all of them before. */
  flush(): void {
    const rows = this.#unwritten.length / 5
    if (rows > 0) this.#handle.query<never, (string | number)[]>(rememberSql(rows)).run(...this.#unwritten)
    this.#unwritten = []
  }

  /** Whether a line of this file is about this row. */
  isTaken(kind: KindName, id: number): boolean {
    return this.#taken.has(placeOf(kind, id))
  }

  /** Whether the source has spoken of this row before, and may yet do so in this file. */
  mayBeTaken(kind: KindName, id: number): boolean {
    this.#claimedBefore ??= new Set(this.#before.values())
    return this.#claimedBefore.has(placeOf(kind, id))
  }
}

/**
 * What a source said before, by the line's hash, a kind and an id in one number: there may be a quarter of a million of
 * them, so others in the same process have turns.
 */
export async function claimsOf(handle: Database, sourceId: number): Promise<ReadonlyMap<number, number>> {
  const claims = new Map<number, number>()
  for (const { name } of kinds) {
    const lines = handle
      .query<never, [number, string]>(
        'select hash, local_id from import_rows where source_id = ? and kind = ?',
      )
      .values(sourceId, name)
    for (const [hash, id] of lines) claims.set(Number(hash), placeOf(name, Number(id)))
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return claims
}

const placeOf = (name: KindName, id: number) => (kindPlaces.get(name) ?? 0) * mostIds + id

const kindPlaces = new Map(kinds.map(({ name }, at) => [name, at]))

// Ids stay below 2^48 and there are fewer than 32 kinds, so that both fit into the 53 bits of a number.
const mostIds = 2 ** 48

/** Many claims in one statement cost half of what they cost one by one. */
const groupSize = 50

const rememberSql = (rows: number) => `
  insert into import_rows (source_id, kind, key, hash, local_id) values ${Array(rows).fill('(?, ?, ?, ?, ?)').join(', ')}
  on conflict (source_id, kind, key) do update set hash = excluded.hash, local_id = excluded.local_id`
