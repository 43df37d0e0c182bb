import { afterEach, beforeEach, expect, test } from 'bun:test'
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
