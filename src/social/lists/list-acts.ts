import type { Act, ActDeps } from '../../library/acts/act'
import { type OpenAct, writeAct } from '../../library/acts/write-act'
import { seenRow } from '../user-lookup'
import { addWorks, type MoveTo, moveWork, noteWork, removeWorks } from './list-works'
import { changeList, deleteList, insertList, type ListChange, type ListFields, ownList } from './write-list'

interface OnList {
  readonly listId: number
}

interface InList extends OnList {
  readonly workId: number
}

const worksOf = (ids: readonly number[]) => ids.map((workId) => ({ workId }))

/** With works, if there are any. Throws not_found or `ListFull`. */
export const makeList = (
  deps: ActDeps,
  userId: number,
  { workIds = [], ...fields }: ListFields & { readonly workIds?: readonly number[] },
): Promise<Act> =>
  writeAct(deps, userId, 'list', async (act) => {
    const listId = await insertList(act, fields)
    await addWorks(act, listId, worksOf(workIds))
    return { workId: 0, listId }
  })

/** Throws not_found, also for somebody else's. */
export const editList = (
  deps: ActDeps,
  userId: number,
  { listId, ...fields }: OnList & ListChange,
): Promise<Act> =>
  writeAct(deps, userId, 'list', async (act) => {
    await changeList(act, listId, fields)
    return { workId: 0, listId }
  })

/** The same. */
export const dropList = (deps: ActDeps, userId: number, { listId }: OnList): Promise<Act> =>
  writeAct(deps, userId, 'list', async (act) => {
    await deleteList(act, listId)
    return { workId: 0, listId }
  })

/**
 * Makes a list of one's own with the works of any list that one sees, in its order. What somebody else noted stays theirs.
 * Throws not_found or `ListFull`.
 */
export const copyList = (
  deps: ActDeps,
  userId: number,
  { listId: from, ...fields }: OnList & ListFields,
): Promise<Act> =>
  writeAct(deps, userId, 'list', async (act) => {
    const { user_id: owner } = await seenRow(act.tx, userId, 'lists', from)
    const listId = await insertList(act, fields)
    const shown = await act.tx
      .selectFrom('list_works')
      .innerJoin('works', 'works.id', 'work_id')
      .select(['work_id', 'note'])
      .where('list_id', '=', from)
      .where('works.hidden', '=', 0)
      .orderBy('place')
      .orderBy('list_works.id')
      .execute()
    const works = shown.map(({ work_id: workId, note }) => ({ workId, note: owner === userId ? note : '' }))
    await addWorks(act, listId, works)
    return { workId: 0, listId }
  })

/** `count` is how many are new. Throws not_found or `ListFull`. */
export const addToList = (
  deps: ActDeps,
  userId: number,
  { listId, workIds }: OnList & { readonly workIds: readonly number[] },
): Promise<Act> =>
  inOwnList(deps, userId, listId, async (act) => {
    const count = await addWorks(act, listId, worksOf(workIds))
    return { workId: workIds[0] ?? 0, count }
  })

/** Throws not_found. */
export const removeFromList = (
  deps: ActDeps,
  userId: number,
  { listId, workIds }: OnList & { readonly workIds: readonly number[] },
): Promise<Act> =>
  inOwnList(deps, userId, listId, async (act) => {
    const count = await removeWorks(act, listId, workIds)
    return { workId: workIds[0] ?? 0, count }
  })

/** Throws not_found. */
export const moveInList = (
  deps: ActDeps,
  userId: number,
  { listId, workId, to }: InList & { readonly to: MoveTo },
): Promise<Act> =>
  inOwnList(deps, userId, listId, async (act) => {
    await moveWork(act, listId, workId, to)
    return { workId }
  })

/** A blank text removes the note. Throws not_found. */
export const noteInList = (
  deps: ActDeps,
  userId: number,
  { listId, workId, text }: InList & { readonly text: string },
): Promise<Act> =>
  inOwnList(deps, userId, listId, async (act) => {
    await noteWork(act, listId, workId, text)
    return { workId }
  })

/** An act on works of one's own list. Throws not_found. */
const inOwnList = (
  deps: ActDeps,
  userId: number,
  listId: number,
  change: (act: OpenAct) => Promise<{ readonly workId: number; readonly count?: number }>,
): Promise<Act> =>
  writeAct(deps, userId, 'list_work', async (act) => {
    await ownList(act.tx, userId, listId)
    return { listId, ...(await change(act)) }
  })
