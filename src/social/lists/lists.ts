import { sql } from 'kysely'
import Type from 'typebox'
import { byUsername } from '../../accounts/filters'
import { nestedUser } from '../../accounts/users'
import { defineCommand } from '../../api/command'
import type { ApiCall } from '../../api/endpoint'
import { defineItem } from '../../api/item'
import { defineList } from '../../api/list'
import { filter } from '../../api/list-declaration'
import { nested } from '../../api/nested-fields'
import { envelope, pageOf, pagingFields, pagingParams, rangeOf } from '../../api/paging'
import { idParam } from '../../api/param-kinds'
import { required } from '../../api/params'
import { itemsReader } from '../../api/read-item'
import { defineResource } from '../../api/resource'
import { boolean, dateTime, integer, text, word } from '../../api/schema'
import { byId, byIds } from '../../catalogue/filters'
import { survivor } from '../../catalogue/survivors'
import { work } from '../../catalogue/works'
import { prepared, type SlotOf } from '../../db/prepared'
import { type Bytes, bytesOf, joined, separated } from '../../http/bytes'
import { notFound } from '../../http/errors'
import { isoTime } from '../../lib/time'
import { visibilities } from './write-list'

/** Of works (D88). */
const workList = defineResource('List', 'lists', ({ from }) => ({
  id: integer('List id', 3),
  name: text('Name', '見返したい'),
  text: text('What it is about', '疲れた夜に'),
  visibility: word(visibilities, 'Who sees it; a private profile narrows it to its followers'),
  is_ordered: from(boolean('Whether its works are numbered'), ['is_ordered'], (row) => row.is_ordered === 1),
  items_count: integer('Works that are shown', 20),
  created_at: from(dateTime('When it was made'), ['created_at'], (row) => isoTime(row.created_at)),
  updated_at: from(dateTime('When it or its works were last changed'), ['updated_at'], (row) =>
    isoTime(row.updated_at),
  ),
}))

export const listItem = defineItem('lists', workList, {
  user: nested(nestedUser, (eb) => eb.ref('lists.user_id')),
})

const filters = {
  filter_ids: byIds('lists'),
  filter_work_id: filter<'lists', number, { work: number }>(
    idParam('Only lists with this work', 10079),
    (work) => ({ work }),
    // uses list_works_work
    (_, slot) => sql`lists.id in (
      select list_id from list_works where work_id = ${survivor('works', slot('work'))})`,
  ),
}

/** An extension (D88): shared ones, or those of a person that the caller may see (D73). */
export const lists = defineList({
  path: '/v1/lists',
  tag: 'Lists',
  summary: 'Extension: lists of works',
  key: 'lists',
  item: listItem,
  rows: {},
  filters: {
    ...filters,
    filter_username: byUsername('lists', 'user_id', "Only this user's lists"),
  },
  sorts: { sort_id: byId },
})

export const myLists = defineList({
  path: '/v1/me/lists',
  tag: 'Lists',
  summary: "Extension: the caller's lists of works",
  key: 'lists',
  item: listItem,
  rows: { where: (eb, viewer) => eb('lists.user_id', '=', viewer) },
  filters,
  sorts: { sort_id: byId },
})

export const listedWorkSchema = () =>
  Type.Object({
    place: integer('From 1 on', 1),
    note: text('What its owner says of it', '冬の夜に'),
    added_at: dateTime('When it was added'),
    work: work.schema,
  })

export const listIdParam = required(idParam('The list', 3))

export const listItems = defineCommand({
  method: 'GET',
  path: '/v1/lists/:id/items',
  tag: 'Lists',
  summary: 'Extension: the works in a list, in its order',
  params: { id: listIdParam, ...pagingParams },
  answers: () => envelope('items', listedWorkSchema()),
  items: 'items',
  errors: ['not_found'],
  run: async ({ id, ...query }, call) => {
    const read = call.deps.readAs(call.viewer.userId)
    const [list] = await listed(read, { id })
    if (list === undefined) throw notFound('The list')
    const page = pageOf(query)
    const rows = await worksOfList(read, { list: id, ...rangeOf(page) })
    const items = await listedWorks(rows, call)
    const paging = JSON.stringify(pagingFields(page, list.total)).slice(1)
    return joined([bytesOf('{"items":['), ...separated(items.map((item) => [item])), bytesOf(`],${paging}`)])
  },
})

export type PlacedWork = {
  readonly place: number
  readonly note: string
  readonly added_at: number
  readonly work_id: number
}

/** JSON of each: as its owner sees it, also with what the catalogue hides. */
export async function listedWorks(rows: readonly PlacedWork[], call: ApiCall): Promise<readonly Bytes[]> {
  const works = await readWorks(
    rows.map(({ work_id }) => work_id),
    call,
  )
  return rows.map(({ place, note, added_at }, at) =>
    joined([
      bytesOf(`${JSON.stringify({ place, note, added_at: isoTime(added_at) }).slice(0, -1)},"work":`),
      ...(works[at] ?? []),
      bytesOf('}'),
    ]),
  )
}

const readWorks = itemsReader(defineItem('works', work))

const listed = prepared<{ total: number }, { id: number }>((read, slot: SlotOf<{ id: number }>) =>
  read
    .selectFrom('lists')
    .select(({ selectFrom }) =>
      selectFrom('list_works')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .whereRef('list_id', '=', 'lists.id')
        .as('total'),
    )
    .where('id', '=', slot('id'))
    .$castTo<{ total: number }>(),
)

/** Uses list_works_place. */
const worksOfList = prepared<PlacedWork, { list: number; offset: number; limit: number }>((read, slot) =>
  read
    .selectFrom('list_works')
    .select([sql<number>`row_number() over (order by place, id)`.as('place'), 'note', 'added_at', 'work_id'])
    .where('list_id', '=', slot('list'))
    .orderBy('list_works.place')
    .orderBy('list_works.id')
    .limit(slot('limit'))
    .offset(slot('offset')),
)
