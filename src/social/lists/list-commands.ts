import { sql } from 'kysely'
import { defineCommand } from '../../api/command'
import type { ApiCall, Endpoint } from '../../api/endpoint'
import { itemSchema } from '../../api/item'
import { flagParam, idParam, wordParam } from '../../api/param-kinds'
import { clearable, param, required } from '../../api/params'
import { itemReader } from '../../api/read-item'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { ChangeLog } from '../../library/undo/change-log'
import { integerUpTo } from '../../values/number'
import { lineUpTo, prose } from '../../values/text'
import { addWorks, listedWork, moveWork, noteWork, removeWorks } from './list-works'
import {
  listedWorkSchema,
  listedWorks,
  listIdParam,
  listItem,
  listItems,
  lists,
  myLists,
  type PlacedWork,
} from './lists'
import {
  changeList,
  deleteList,
  insertList,
  type ListWriting,
  longestListName,
  longestListNote,
  longestListText,
  mostInList,
  mostLists,
  ownList,
  visibilities,
} from './write-list'

const name = param(lineUpTo(longestListName), 'Name', '見返したい')
const text = param(prose(longestListText), 'What it is about', '疲れた夜に')
const flags = {
  visibility: wordParam(visibilities, 'Who sees it'),
  is_ordered: flagParam('Whether its works are numbered'),
}
const workParam = required(idParam('The work', 10079))
const note = param(prose(longestListNote), 'What the caller says of it', '冬の夜に')
const place = param(integerUpTo(mostInList), 'Its place, from 1 on; one beyond the end is the end', 1)

const readList = itemReader(listItem)

const makeList = defineCommand({
  method: 'POST',
  path: '/v1/me/lists',
  tag: 'Lists',
  summary: 'Extension: makes a list of works',
  description: `At most ${mostLists}. Without visibility, it is as the caller's profile.`,
  params: { name: required(name), text, ...flags },
  answers: () => itemSchema(listItem),
  run: async ({ is_ordered: isOrdered, ...fields }, call) => {
    const id = await write(call, (writing) =>
      insertList(writing, {
        name: fields.name,
        text: fields.text,
        visibility: fields.visibility,
        isOrdered,
      }),
    )
    return readList(id, call)
  },
})

const updateList = defineCommand({
  method: 'PATCH',
  path: '/v1/me/lists/:id',
  tag: 'Lists',
  summary: 'Extension: changes a list of the caller',
  description: 'Changes only what is sent; a blank text clears it.',
  params: { id: listIdParam, name, text: clearable(text), ...flags },
  answers: () => itemSchema(listItem),
  errors: ['not_found'],
  run: async ({ id, is_ordered: isOrdered, text, ...fields }, call) => {
    await write(call, (writing) =>
      changeList(writing, id, { ...fields, text: text === null ? '' : text, isOrdered }),
    )
    return readList(id, call)
  },
})

const removeList = defineCommand({
  method: 'DELETE',
  path: '/v1/me/lists/:id',
  tag: 'Lists',
  summary: 'Extension: deletes a list of the caller',
  params: { id: listIdParam },
  errors: ['not_found'],
  run: async ({ id }, call) => {
    await write(call, (writing) => deleteList(writing, id))
    return null
  },
})

const addItem = defineCommand({
  method: 'POST',
  path: '/v1/me/lists/:id/items',
  tag: 'Lists',
  summary: 'Extension: adds a work to a list of the caller',
  description: `At the end, unless a place is sent. A work is in a list once: one that is there stays as it is. At most ${mostInList}.`,
  params: { id: listIdParam, work_id: workParam, note, place },
  answers: listedWorkSchema,
  errors: ['not_found'],
  run: async ({ id, work_id: workId, note, place }, call) =>
    itemAfter(call, id, workId, async (writing) => {
      const isNew = (await addWorks(writing, id, [{ workId, note }])) > 0
      if (isNew && place !== undefined) await moveWork(writing, id, workId, place)
    }),
})

const updateItem = defineCommand({
  method: 'PATCH',
  path: '/v1/me/lists/:id/items/:work_id',
  tag: 'Lists',
  summary: 'Extension: changes the note or the place of a work in a list of the caller',
  description: 'Changes only what is sent; a blank note clears it.',
  params: { id: listIdParam, work_id: workParam, note: clearable(note), place },
  answers: listedWorkSchema,
  errors: ['not_found'],
  run: async ({ id, work_id, note, place }, call) =>
    itemAfter(call, id, work_id, async (writing) => {
      if (note !== undefined) await noteWork(writing, id, work_id, note ?? '')
      if (place !== undefined) await moveWork(writing, id, work_id, place)
    }),
})

const removeItem = defineCommand({
  method: 'DELETE',
  path: '/v1/me/lists/:id/items/:work_id',
  tag: 'Lists',
  summary: 'Extension: removes a work from a list of the caller',
  params: { id: listIdParam, work_id: workParam },
  errors: ['not_found'],
  run: async ({ id, work_id }, call) => {
    await write(call, async (writing) => {
      await ownList(writing.tx, writing.userId, id)
      if ((await removeWorks(writing, id, [work_id])) === 0) throw notFound('The work in the list')
    })
    return null
  },
})

export const listEndpoints: readonly Endpoint[] = [
  lists,
  listItems,
  myLists,
  makeList,
  updateList,
  addItem,
  updateItem,
  removeItem,
  removeList,
]

/** Requests of the API are no acts: nobody keeps what they log. */
function write<T>({ deps, viewer }: ApiCall, change: (writing: ListWriting) => Promise<T>): Promise<T> {
  const [userId, now] = [viewer.userId, deps.now()]
  return deps.write((tx) => {
    const log = new ChangeLog(tx, userId, 'act')
    return change({ tx, userId, now, log, aside: log.aside })
  })
}

/** The work in the list, as the same write left it. */
async function itemAfter(
  call: ApiCall,
  list: number,
  workId: number,
  change: (writing: ListWriting) => Promise<void>,
) {
  const row = await write(call, async (writing) => {
    await ownList(writing.tx, writing.userId, list)
    await change(writing)
    const { id } = await listedWork(writing, list, workId)
    return await placedRow(writing.tx, { id })
  })
  const [shown] = await listedWorks(row, call)
  if (shown === undefined) throw notFound('The work in the list')
  return shown
}

const placedRow = prepared<PlacedWork, { id: number }, Tx>((tx, slot: SlotOf<{ id: number }>) =>
  tx
    .selectFrom('list_works')
    .select(['note', 'added_at', 'work_id'])
    .select(
      sql<number>`(select count(*) from list_works as o
        where o.list_id = list_works.list_id and (o.place, o.id) <= (list_works.place, list_works.id))`.as(
        'place',
      ),
    )
    .where('id', '=', slot('id')),
)
