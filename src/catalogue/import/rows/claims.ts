import type { Database } from 'bun:sqlite'
import type { KindName } from '../kinds/field'
import { kinds } from '../kinds/kinds'

export interface Claim {
  readonly kind: KindName
  readonly id: number
}

/** For lines without a row: only their hash is stored. */
export const noRow = 0

/** The lines of a source, from earlier imports and from this file, by hash, with their rows. */
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

  /** The row of a line that has not changed. Marks the line as present in the file, and its row as taken. */
  unchanged(hash: number): Claim | undefined {
    const place = this.#before.get(hash)
    if (place === undefined) return undefined
    this.#seen.add(hash)
    this.#taken.add(place)
    const kind = kinds[Math.floor(place / mostIds)]
    return kind && { kind: kind.name, id: place % mostIds }
  }

  get hasAny(): boolean {
    return this.#before.size > 0
  }

  /** Whether an identical line was imported before. */
  knows(hash: number): boolean {
    return this.#before.has(hash)
  }

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

  flush(): void {
    const rows = this.#unwritten.length / 5
    if (rows > 0) this.#handle.query<never, (string | number)[]>(rememberSql(rows)).run(...this.#unwritten)
    this.#unwritten = []
  }

  isTaken(kind: KindName, id: number): boolean {
    return this.#taken.has(placeOf(kind, id))
  }

  /** Whether the source listed this row earlier, so that a line of this file may still be about it. */
  mayBeTaken(kind: KindName, id: number): boolean {
    this.#claimedBefore ??= new Set(this.#before.values())
    return this.#claimedBefore.has(placeOf(kind, id))
  }
}

/** Maps line hashes to kind and id packed into one number (up to 250,000 entries); yields to other work. */
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

// Ids are below 2^48 and there are fewer than 32 kinds, so both fit into 53 bits.
const mostIds = 2 ** 48

/** A multi-row insert halves the cost. */
const groupSize = 50

const rememberSql = (rows: number) => `
  insert into import_rows (source_id, kind, key, hash, local_id) values ${Array(rows).fill('(?, ?, ?, ?, ?)').join(', ')}
  on conflict (source_id, kind, key) do update set hash = excluded.hash, local_id = excluded.local_id`
