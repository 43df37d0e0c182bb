import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detect } from '../../src/transfer/detect'
import { RefusedFile } from '../../src/transfer/file/refused-file'
import { isPart } from '../../src/transfer/part'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-detect-'))
afterAll(() => rmSync(folder, { recursive: true }))

const detected = async (value: unknown) => {
  const path = join(folder, 'list.json')
  writeFileSync(path, JSON.stringify(value))
  const { reader, contents } = await detect(path, 'list.json')
  const rows = await Array.fromAsync(reader.rows(contents))
  return { source: reader.source, titles: rows.map(({ title }) => title), isPart: await isPart(contents) }
}

const problemOf = (value: unknown) =>
  detected(value).catch((cause: unknown) => (cause instanceof RefusedFile ? cause.problem : cause))

test("an array whose objects have an `anime_id` is not MyAnimeList's list for that alone", async () => {
  expect(await problemOf([{ anime_id: 1, rating: 8 }])).toBe('unrecognised')
  const entry = { anime_id: 1, anime_title: 'Cowboy Bebop', status: 2, num_watched_episodes: 26 }
  expect(await detected([entry])).toEqual({ source: 'mal', titles: ['Cowboy Bebop'], isPart: false })
})

test("AniList's collection is recognised without `data`, under any alias, and in an array", async () => {
  const entry = { id: 1, mediaId: 1, status: 'CURRENT', media: { title: { romaji: 'Cowboy Bebop' } } }
  const collection = { lists: [{ entries: [entry] }], hasNextChunk: true }
  for (const answer of [{ MediaListCollection: collection }, { anime: collection }])
    for (const file of [answer, [answer], { data: answer }, [{ data: answer }]])
      expect(await detected(file)).toEqual({ source: 'anilist', titles: ['Cowboy Bebop'], isPart: true })
})
