import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../../src/db/open'
import { addToList } from '../../../src/social/lists/list-acts'
import type { ListImport } from '../../../src/transfer/batch/list-import'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { anilist, entry, filesWithLists, titles } from '../../support/files-with-lists'
import { createInstance } from '../../support/instance'
import { fill } from '../../support/seed'
import { writeZip } from '../../support/zip-file'
import { dumpOf, userRow } from './support'

const mio = 1

/** Works 1 to 5, and 11 to 30; all of them films of 2020 with the same ids at every site as here. */
const seed = async (store: Store) => {
  const ids = [...titles.keys().map((at) => at + 1), ...Array.from({ length: 20 }, (_, at) => at + 11)]
  await fill(store, {
    users: [userRow(mio, 'mio'), userRow(2, 'ren')],
    works: ids.map((id) => ({
      ...{ id, title: titles[id - 1] ?? `作品${id}`, media: 'movie', no_episodes: 1, season_year: 2020 },
    })),
    external_ids: ids.flatMap((id) =>
      ['mal', 'anilist'].map((ns) => ({ kind: 'work', ns, external_id: String(id), local_id: id })),
    ),
  })
}

const kiroku = await createInstance({ seed })
const { handle } = kiroku.store
const lists = listsOf(kiroku.deps)
afterAll(async () => {
  await lists.close()
  await kiroku.close()
})
beforeEach(() =>
  handle.run('delete from lists; delete from favorites; delete from statuses; delete from reviews'),
)

const path = join(kiroku.deps.config.data, 'file')

async function read(
  contents: string | object | Record<string, string>,
  name = 'list.csv',
): Promise<ListImport> {
  if (typeof contents === 'string') writeFileSync(path, contents)
  else if (name.endsWith('.zip')) await writeZip(path, contents as Record<string, string>)
  else writeFileSync(path, JSON.stringify(contents))
  return await lists.read(mio, { path, name }, {})
}

async function applied({ id }: ListImport): Promise<ListImport> {
  await lists.apply(mio, id, { acceptsProbable: false })
  await lists.settled(id)
  return await lists.find(mio, id)
}

async function undone({ id }: ListImport): Promise<ListImport> {
  await lists.undo(mio, id)
  await lists.settled(id)
  return await lists.find(mio, id)
}

/** By name: who sees it and the works in their order, with notes. */
const here = () =>
  Object.fromEntries(
    handle
      .query<{ id: number; name: string; visibility: string }, []>('select * from lists order by id')
      .all()
      .map(({ id, name, visibility }) => [name, [visibility, ...worksOf(id)]]),
  )

const worksOf = (list: number) =>
  handle
    .query<{ work_id: number; note: string }, [number]>(
      'select work_id, note from list_works where list_id = ? order by place, id',
    )
    .all(list)
    .map(({ work_id, note }) => (note === '' ? work_id : [work_id, note]))

const favorites = () =>
  handle
    .query<{ work_id: number }, []>('select work_id from favorites order by position')
    .all()
    .map(({ work_id }) => work_id)

describe('lists and favorites of another service (D88)', () => {
  test.each(filesWithLists)(
    'are made in their order, made once, and taken back: %s',
    async (source, contents, name, expected, liked) => {
      const before = dumpOf(handle)
      const preview = await read(contents as object, name)
      expect(preview).toMatchObject({ source, state: 'preview' })
      expect(dumpOf(handle)).toEqual(before)
      const gained = preview.lists.reduce((sum, { gains }) => sum + gains, 0)
      const first = await applied(preview)
      expect(first.state).toBe('applied')
      expect(here()).toEqual(expected as never)
      expect(favorites()).toEqual([...liked])
      const works = Object.values(here()).reduce((sum, list) => sum + list.length - 1, 0)
      expect(gained).toBe(works + liked.length)
      expect(first.sums.listed).toBe(works)

      const after = dumpOf(handle)
      const again = await read(contents as object, name)
      expect(again.counts).toMatchObject({ new: 0, conflict: 0 })
      expect(again.lists.map(({ gains }) => gains)).toEqual(again.lists.map(() => 0))
      await applied(again)
      expect(dumpOf(handle)).toEqual(after)

      expect(await undone(again)).toMatchObject({ state: 'undone', left: [] })
      expect(dumpOf(handle)).toEqual(after)
      expect(await undone(first)).toMatchObject({ state: 'undone', left: [] })
      expect(dumpOf(handle)).toEqual(before)
    },
  )

  test('say what is known of each, and name what is not', async () => {
    const { lists: coming } = await read(anilist, 'a.json')
    expect(coming).toMatchObject([
      {
        name: '見返したい',
        works: 4,
        known: 3,
        gains: 3,
        isNew: true,
        isLeftOut: false,
        missing: ['作品99'],
      },
      { name: '', works: 2, known: 2, gains: 2, isNew: false, missing: [] },
    ])
  })

  test('stay out when they are not wanted, and so do works that are in nothing else', async () => {
    const { id, counts } = await read(anilist, 'a.json')
    expect(counts).toMatchObject({ new: 4, not_found: 1 })
    const fewer = await lists.setOptions(mio, id, { leavesOut: ['見返したい', ''] })
    expect(fewer.counts).toMatchObject({ new: 2, unchanged: 2 })
    expect(fewer.lists).toMatchObject([{ known: 3, gains: 0, isLeftOut: true }, { isLeftOut: true }])
    await applied(fewer)
    expect([here(), favorites()]).toEqual([{}, []])
  })

  test('of a name that is here gain what they lack, at the end', async () => {
    handle.run(
      "insert into lists (id, user_id, name, visibility, created_at, updated_at) values (7, 1, '見返したい', 'public', 0, 0)",
    )
    handle.run(
      "insert into list_works (list_id, user_id, work_id, place, note, added_at) values (7, 1, 1, 1, '元', 0), (7, 1, 5, 2, '', 0)",
    )
    const preview = await read(anilist, 'a.json')
    expect(preview.lists[0]).toMatchObject({ known: 3, gains: 2, isNew: false })
    const done = await applied(preview)
    expect(here()).toEqual({ 見返したい: ['public', [1, '元'], 5, 3, 2] })
    await undone(done)
    expect(here()).toEqual({ 見返したい: ['public', [1, '元'], 5] })
  })

  test('that their owner has added to since are left, and named', async () => {
    const done = await applied(await read(anilist, 'a.json'))
    const { id } = handle.query<{ id: number }, []>('select id from lists').get() ?? { id: 0 }
    await addToList(kiroku.deps, mio, { listId: id, workIds: [5] })
    const { left } = await undone(done)
    expect(left).toMatchObject([{ kind: 'list', id, workId: 0, why: 'used' }])
    expect(here()).toEqual({ 見返したい: ['private', 5] })
  })

  test('fill what is free among ten favorites', async () => {
    handle.run(`insert into favorites (user_id, work_id, position, created_at)
      select 1, value, value - 10, 0 from json_each('[11,12,13,14,15,16,17,18]')`)
    const nodes = [11, 20, 21, 22, 23].map((id) => entry(id).media)
    const file = { data: { ...anilist.data, User: { favourites: { anime: { nodes } } } } }
    const preview = await read(file, 'a.json')
    expect(preview.lists[1]).toMatchObject({ works: 5, known: 5, gains: 2, isFull: true })
    await applied(preview)
    expect(favorites()).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 20, 21])
  })

  test('are no more than a hundred lists of a thousand works', async () => {
    const names = Array.from({ length: 130 }, (_, at) => `リスト${at}`)
    handle.run(
      "insert into lists (user_id, name, visibility, created_at, updated_at) values (1, '前から', 'public', 0, 0)",
    )
    const preview = await read(`mal_id,list\n1,${names.join('|')}\n`)
    expect(preview.lists).toHaveLength(101)
    expect(preview.lists.filter(({ isFull }) => isFull)).toHaveLength(2)
    await applied(preview)
    expect(handle.query('select count(*) as n from lists').get()).toEqual({ n: 100 } as never)
    expect(handle.query('select count(*) as n from list_works').get()).toEqual({ n: 99 } as never)
  })

  test('change nothing of what others like or list', async () => {
    handle.run(
      "insert into lists (user_id, name, visibility, created_at, updated_at) values (2, '見返したい', 'public', 0, 0)",
    )
    await applied(await read(anilist, 'a.json'))
    const rows = handle.query('select user_id, items_count from lists order by id').all() as unknown[]
    expect(rows).toEqual([
      { user_id: 2, items_count: 0 },
      { user_id: 1, items_count: 3 },
    ])
  })
})
