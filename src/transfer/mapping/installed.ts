import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Write } from '../../db/write'
import { RefusedFile } from '../file/refused-file'
import type { MappedRange, MappingKind } from './ranges'
import { readMapping } from './read-mapping'

/** A mapping file that is installed. */
export interface InstalledMapping {
  readonly kind: MappingKind
  readonly name: string
  /** Epoch milliseconds. */
  readonly installedAt: number
  readonly ranges: number
  /** Works of the catalogue that it knew when it was installed. */
  readonly works: number
  /** Ranges that it gave to several works. */
  readonly contradictions: number
  /** Entries that say nothing that can be used. */
  readonly skipped: number
}

interface MappingDeps {
  readonly read: Read
  readonly write: Write
  now(): number
}

/** More would be no list of anime. */
const mostRanges = 1_000_000

/** In one write. */
const atOnce = 2000

/**
 * Installs a file in the place of one of the same kind, once all of it was read: until then, that one decides. In short
 * writes. Throws a `RefusedFile`.
 */
export async function installMapping(
  deps: MappingDeps,
  name: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<InstalledMapping> {
  await dropLeft(deps)
  let file: { readonly id: number; readonly kind: MappingKind } | undefined
  let [ranges, skipped, waiting]: [number, number, MappedRange[]] = [0, 0, []]
  const flush = async () => {
    if (file !== undefined && waiting.length > 0) await addRanges(deps, file.id, waiting)
    waiting = []
  }
  for await (const entry of readMapping(piecesOf(bytes))) {
    file ??= { id: await beginFile(deps, entry.kind, name), kind: entry.kind }
    if (entry.kind !== file.kind) throw new RefusedFile('unrecognised')
    if (entry.ranges.length === 0) skipped += 1
    ranges += entry.ranges.length
    if (ranges > mostRanges) throw new RefusedFile('too_large', 'rows')
    waiting.push(...entry.ranges)
    if (waiting.length >= atOnce) await flush()
  }
  await flush()
  if (file === undefined || ranges === 0) throw new RefusedFile('unrecognised')
  const { id, kind } = file
  const [known] = await countKnown(deps.read, { file: id })
  const report = { ranges, skipped, works: known?.works ?? 0, contradictions: known?.contradictions ?? 0 }
  const installedAt = deps.now()
  await deps.write(async (tx) => {
    await tx.updateTable('mapping_files').set({ installed_at: null }).where('kind', '=', kind).execute()
    await tx
      .updateTable('mapping_files')
      .set({ ...report, installed_at: installedAt })
      .where('id', '=', id)
      .execute()
  })
  await dropLeft(deps)
  return { kind, name, installedAt, ...report }
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  yield* bytes
}

const beginFile = async ({ write }: MappingDeps, kind: MappingKind, name: string): Promise<number> => {
  const { id } = await write((tx) =>
    tx.insertInto('mapping_files').values({ kind, name }).returning('id').executeTakeFirstOrThrow(),
  )
  return id
}

async function addRanges(
  { write }: MappingDeps,
  file: number,
  ranges: readonly MappedRange[],
): Promise<void> {
  const cells = ranges.map((one) => [
    ...[one.site, one.series, one.season, one.first, one.last, one.ns, one.id, one.shift, one.rank],
  ])
  await write((tx) => insertRanges(tx, { file, ranges: JSON.stringify(cells) }))
}

const insertRanges = preparedSql<never, { file: number; ranges: string }>(
  (slot) => sql`
    insert into mapping_ranges (file_id, site, series, season, first, last, ns, external_id, shift, rank)
    select ${slot('file')}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
      value ->> 7, value ->> 8 from json_each(${slot('ranges')})`,
)

// uses mapping_ranges_file and the primary key of external_ids
const countKnown = preparedSql<{ works: number; contradictions: number }, { file: number }>(
  (slot) => sql`
    with known as materialized (
      select site, series, season, first, rank, local_id as work from mapping_ranges
      join external_ids on external_ids.kind = 'work' and external_ids.ns = mapping_ranges.ns
        and external_ids.external_id = mapping_ranges.external_id
      where file_id = ${slot('file')})
    select (select count(distinct work) from known) as works, (
      select count(*) from (
        select 1 from known where rank < 3 group by site, series, season, first, rank having min(work) < max(work)))
      as contradictions`,
)

/** What was not read to its end, or has been replaced. */
async function dropLeft({ read, write }: MappingDeps): Promise<void> {
  const left = await read.selectFrom('mapping_files').select('id').where('installed_at', 'is', null).execute()
  for (const { id } of left) {
    for (let dropped = atOnce; dropped === atOnce; ) {
      const rows = await write((tx) => dropSome(tx, { file: id }))
      dropped = rows.length
    }
    await write((tx) => tx.deleteFrom('mapping_files').where('id', '=', id).execute())
  }
}

// uses mapping_ranges_file
const dropSome = preparedSql<{ id: number }, { file: number }>(
  (slot) => sql`
    delete from mapping_ranges where id in (
      select id from mapping_ranges where file_id = ${slot('file')} limit ${sql.lit(atOnce)})
    returning id`,
)

export async function listMappings(read: Read): Promise<readonly InstalledMapping[]> {
  const rows = await read
    .selectFrom('mapping_files')
    .select(['kind', 'name', 'installed_at', 'ranges', 'works', 'contradictions', 'skipped'])
    .where('installed_at', 'is not', null)
    .orderBy('kind')
    .$narrowType<{ kind: MappingKind }>()
    .execute()
  return rows.map(({ installed_at, ...row }) => ({ ...row, installedAt: installed_at ?? 0 }))
}

/** False if none of the kind is installed. In short writes; it decides nothing from the first one on. */
export async function removeMapping(deps: Omit<MappingDeps, 'now'>, kind: MappingKind): Promise<boolean> {
  const removed = await deps.write((tx) =>
    tx
      .updateTable('mapping_files')
      .set({ installed_at: null })
      .where('kind', '=', kind)
      .where('installed_at', 'is not', null)
      .returning('id')
      .execute(),
  )
  await dropLeft({ ...deps, now: () => 0 })
  return removed.length > 0
}
