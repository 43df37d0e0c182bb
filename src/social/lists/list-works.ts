import { sql } from 'kysely'
import { anyWork, visibleWork } from '../../catalogue/lookups'
import { preparedSql } from '../../db/prepared'
import { notFound } from '../../http/errors'
import { ListFull, type ListWriting, mostInList, touchList } from './write-list'

export interface WorkInList {
  readonly id: number
  readonly work_id: number
  readonly place: number
}

/** In the list's order, with what the catalogue hides. Uses list_works_place. */
const worksInOrder = preparedSql<WorkInList, { list: number }>(
  (slot) => sql`
    select id, work_id, place from list_works where list_id = ${slot('list')} order by place, id`,
)

export interface AddedWork {
  readonly workId: number
  readonly note?: string | undefined
  /** Epoch milliseconds; now by default. */
  readonly addedAt?: number | undefined
}

/**
 * At the end, in this order; what is in the list already stays as it is. Returns how many are new. The caller has asked whose
 * list it is. Throws not_found or `ListFull`.
 */
export async function addWorks(
  writing: ListWriting,
  list: number,
  works: readonly AddedWork[],
): Promise<number> {
  const { tx, userId, now, log } = writing
  const listed = await worksInOrder(tx, { list })
  const known = new Set(listed.map(({ work_id }) => work_id))
  let place = listed.at(-1)?.place ?? 0
  const before = known.size
  for (const { workId, note = '', addedAt = now } of works) {
    const work_id = await visibleWork(tx, workId)
    if (known.has(work_id)) continue
    if (known.size >= mostInList) throw new ListFull('works')
    known.add(work_id)
    place += 1
    const row = await tx
      .insertInto('list_works')
      .values({ list_id: list, user_id: userId, work_id, place, note, added_at: addedAt })
      .returning('id')
      .executeTakeFirstOrThrow()
    await log.inserted('list_works', work_id, row.id)
  }
  await touchList(writing, list)
  return known.size - before
}

/** Those that are in the list. Returns how many were. */
export async function removeWorks(
  writing: ListWriting,
  list: number,
  works: readonly number[],
): Promise<number> {
  const rows = new Map((await worksInOrder(writing.tx, { list })).map((row) => [row.work_id, row]))
  let removed = 0
  for (const id of works) {
    const row = rows.get(await anyWork(writing.tx, id))
    if (row === undefined) continue
    await writing.log.deleting('list_works', row.work_id, row.id)
    await writing.tx.deleteFrom('list_works').where('id', '=', row.id).execute()
    rows.delete(row.work_id)
    removed += 1
  }
  await touchList(writing, list)
  return removed
}

/** Throws not_found. */
export async function noteWork(
  writing: ListWriting,
  list: number,
  work: number,
  note: string,
): Promise<void> {
  const row = await listedWork(writing, list, work)
  await writing.log.changed('list_works', row.work_id, row.id, () =>
    writing.tx.updateTable('list_works').set({ note }).where('id', '=', row.id).execute(),
  )
  await touchList(writing, list)
}

/** Throws not_found. */
export async function listedWork({ tx }: ListWriting, list: number, work: number): Promise<WorkInList> {
  const id = await anyWork(tx, work)
  const row = (await worksInOrder(tx, { list })).find(({ work_id }) => work_id === id)
  if (row === undefined) throw notFound('The work in the list')
  return row
}

/** A number counts from 1; one beyond the end is the end. */
export type MoveTo = 'up' | 'down' | 'top' | 'bottom' | number

/**
 * Moves a work between two others: to the middle of their places, or all places are numbered anew when nothing is left between
 * them (after some 50 moves to the same place). Throws not_found.
 */
export async function moveWork(writing: ListWriting, list: number, work: number, to: MoveTo): Promise<void> {
  const { tx, log, aside } = writing
  const moved = await listedWork(writing, list, work)
  const rows = await worksInOrder(tx, { list })
  const from = rows.findIndex(({ id }) => id === moved.id)
  const others = rows.toSpliced(from, 1)
  const at = Math.min(others.length, Math.max(0, indexOf(to, from, others.length)))
  if (at === from) return
  const place = between(others[at - 1]?.place, others[at]?.place)
  const setPlace = (row: WorkInList, to: number, of = log) =>
    of.changed('list_works', row.work_id, row.id, () =>
      tx.updateTable('list_works').set({ place: to }).where('id', '=', row.id).execute(),
    )
  if (place !== undefined) await setPlace(moved, place)
  else
    for (const [index, row] of others.toSpliced(at, 0, moved).entries())
      await setPlace(row, index + 1, row === moved ? log : aside)
  await touchList(writing, list)
}

function indexOf(to: MoveTo, from: number, last: number): number {
  switch (to) {
    case 'up':
      return from - 1
    case 'down':
      return from + 1
    case 'top':
      return 0
    case 'bottom':
      return last
    default:
      return to - 1
  }
}

/** Undefined if no number is left between the two. */
function between(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined) return after === undefined ? 1 : after - 1
  if (after === undefined) return before + 1
  const middle = (before + after) / 2
  return before < middle && middle < after ? middle : undefined
}
