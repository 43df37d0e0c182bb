import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListImport } from '../../../src/transfer/batch/list-import'
import type { Lists, NewOptions } from '../../../src/transfer/batch/lists'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'

const mio = 1
let folder: string
let kiroku: Instance
let lists: Lists
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kiroku-asks-'))
  kiroku = await createInstance({ seed: seedLibrary })
  lists = listsOf(kiroku.deps)
})
afterEach(async () => {
  await lists.close()
  await kiroku.close()
  rmSync(folder, { recursive: true })
})

async function read(text: string, options: NewOptions = {}): Promise<ListImport> {
  const path = join(folder, 'list')
  writeFileSync(path, text)
  return await lists.read(mio, { path, name: 'list' }, options)
}

const statesOf = async ({ id }: ListImport) => {
  const { rows } = await lists.rows(mio, id, { offset: 0, limit: 10 })
  return rows.map(({ state, reason }) => reason ?? state)
}

const played = (...users: readonly string[]) =>
  users
    .map(
      (user, day) =>
        `2024-02-0${day + 1} 21:00:00.0\t${user}\t${day}\tEpisode\t星降る庭 - s01e01 - x\tp\tc\td\t1420\n`,
    )
    .join('')

test('of a history of several people, one must be chosen, and the others are left out', async () => {
  const preview = await read(played('mio', 'ritsu', 'mio'))
  expect(preview.asks).toContainEqual({ name: 'user', options: ['mio', 'ritsu'] })
  await expect(lists.apply(mio, preview.id, { acceptsProbable: true })).rejects.toThrow(
    'user must be chosen first',
  )
  await expect(lists.setOptions(mio, preview.id, { user: 'azusa' })).rejects.toThrow(
    'user must be one of those in the file: mio, ritsu.',
  )
  const chosen = await lists.setOptions(mio, preview.id, { user: 'mio' })
  expect(chosen.user).toBe('mio')
  const states = await statesOf(chosen)
  expect([states[1], states.filter((state) => state === 'other_user').length]).toEqual(['other_user', 1])
  await lists.apply(mio, preview.id, { acceptsProbable: true })
  await lists.settled(preview.id)
  expect((await lists.find(mio, preview.id)).state).toBe('applied')
})

test('a history of one person asks nothing; a name that is not in it is refused', async () => {
  const one = await read(played('mio', 'mio'))
  expect([one.user, one.asks.map(({ name }) => name)]).toEqual([null, ['time_zone']])
  await expect(read(played('mio'), { user: 'ritsu' })).rejects.toThrow(
    'user must be one of those in the file: mio.',
  )
  expect((await read(played('mio', 'ritsu'), { user: 'ritsu' })).user).toBe('ritsu')
  expect((await read(bangumi(1), { user: 'ritsu' })).user).toBe(null)
})

const bangumi = (progress: number) =>
  `名称,条目类型,地址,状态,完成度\n星降る庭,动画,https://bgm.tv/subject/1,看过,${progress} | 12\n`

test('whether a finished work with only some episodes was watched to the end is asked; the default is no', async () => {
  const preview = await read(bangumi(1))
  expect(preview.asks).toContainEqual({ name: 'complete_watched', options: ['false', 'true'] })
  expect(preview.completesWatched).toBe(false)
  expect((await lists.setOptions(mio, preview.id, { completesWatched: true })).completesWatched).toBe(true)
  expect((await read(bangumi(12))).asks).toEqual([])
})

const page = (hasNextChunk: boolean) =>
  JSON.stringify({ data: { MediaListCollection: { hasNextChunk, lists: [{ entries: [{ mediaId: 1 }] }] } } })

test('a file that is one page of a list says so', async () => {
  expect((await read(page(true))).isPart).toBe(true)
  expect((await read(page(false))).isPart).toBe(false)
  expect((await read(page(true) + page(false))).isPart).toBe(false)
})

describe('what nobody else shall see (D72)', () => {
  const anilist = (isPrivate: boolean) =>
    JSON.stringify({
      data: {
        MediaListCollection: {
          hasNextChunk: false,
          user: { mediaListOptions: { scoreFormat: 'POINT_10' } },
          lists: [
            {
              name: 'Watching',
              entries: [
                {
                  ...{
                    id: 1,
                    mediaId: 9,
                    status: 'PAUSED',
                    score: 8,
                    progress: 2,
                    repeat: 0,
                    private: isPrivate,
                  },
                  ...{ notes: '内緒', hiddenFromStatusLists: false, updatedAt: 1_700_000_000 },
                  ...{ startedAt: {}, completedAt: {} },
                  media: { id: 9, idMal: 40001, format: 'TV', title: { native: '星降る庭' } },
                },
              ],
            },
          ],
        },
      },
    })
  const marks = () =>
    kiroku.store.handle
      .query(`select 'record', private, withheld from records where user_id = 1 and id > 6
        union all select 'review', private, withheld from reviews where user_id = 1 and id > 3
        union all select kind, private, withheld from statuses where user_id = 1 and work_id = 1`)
      .values()
  const take = async (isPrivate: boolean) => {
    for (const table of ['statuses', 'activities', 'likes', 'records', 'reviews'])
      kiroku.store.handle.run(`delete from ${table} where user_id = 1`)
    const { id } = await read(anilist(isPrivate), { includesPrivate: true })
    await lists.apply(mio, id, { acceptsProbable: true })
    await lists.settled(id)
  }
  const everything = (mark: 0 | 1) => [
    ...Array(2).fill(['record', mark, 2 * mark]),
    ['review', mark, 2 * mark],
    ['on_hold', mark, 2 * mark],
  ]

  test('stays so where it is imported', async () => {
    await take(true)
    expect(marks()).toEqual(everything(1))
  })

  test('is otherwise as its user prefers for new entries', async () => {
    await take(false)
    expect(marks()).toEqual(everything(0))
  })

  test('is everything for who prefers that', async () => {
    kiroku.store.handle.run('update users set private_by_default = 1 where id = 1')
    await take(false)
    expect(marks()).toEqual(everything(1))
  })
})
