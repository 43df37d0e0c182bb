import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detect } from '../../src/transfer/detect'
import { columnsIn, columnsText } from '../../src/transfer/readers/table/columns'
import type { ListRow } from '../../src/transfer/row'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-table-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(text: string): Promise<readonly ListRow[]> {
  const path = join(folder, 'list.csv')
  writeFileSync(path, text)
  const { reader, contents } = await detect(path, 'list.csv')
  return await Array.fromAsync(reader.rows(contents))
}
const first = async (header: string, line: string) => {
  const [row] = await read(`${header}\n${line}\n`)
  return JSON.parse(JSON.stringify(row))
}

describe('a table of one’s own', () => {
  test.each([
    ['タイトル,視聴状況,評価,感想', '星降る庭,見た,4/5,良い'],
    ['作品名,ステータス,スコア,メモ', '星降る庭,視聴完了,★★★★☆,良い'],
    ['Title,Status,My Score,Notes', '星降る庭,Completed,4/5,良い'],
    ['ANIME_TITLE;WATCH STATUS;RATING;REVIEW', '星降る庭;finished;4 / 5;良い'],
    ['題名\t状態\t点数\tひとこと', '星降る庭\t○\t４／５\t良い'],
  ])('has columns named in any case and language: %s', async (header, line) => {
    expect(await first(header, line)).toMatchObject({
      ...{ title: '星降る庭', status: 'watched', note: '良い' },
      score: { value: 4, scale: 5 },
    })
  })

  test.each([
    ['watching', 'Watching', 'currently-watching', '見てる', '視聴中', 'In Progress'],
    ['watched', 'watched', 'COMPLETED', '見た', '視聴済み', '完走'],
    ['on_hold', 'On-Hold', 'paused', '一時中断', 'stalled', '保留'],
    ['stop_watching', 'dropped', 'Dropped', '視聴中止', '切った', 'stop watching'],
    ['wanna_watch', 'plan to watch', 'Plan to Watch', '見たい', 'Wishlist', 'PTW'],
  ])('knows the words of every product for %s', async (status, ...words) => {
    const rows = await read(`title,status\n${words.map((word) => `a,${word}`).join('\n')}`)
    expect(rows.map((row) => [row.status, row.error])).toEqual(words.map(() => [status, undefined]))
    expect((await first('title,status', 'a,unheard of')).error).toStartWith(
      'status must be watching, watched',
    )
  })

  test('has numbers and dates as people write them', async () => {
    const header = '作品名,年,全話数,視聴話数,開始日,終了日,mal'
    const line = '星降る庭,2019年,全12話,第3話,2024/5/1,2024年6月,https://myanimelist.net/anime/5114/Title'
    expect(await first(header, line)).toMatchObject({
      ...{ year: 2019, total: 12, progress: 3, startedOn: '2024-05-01', finishedOn: '2024-06' },
      refs: [{ site: 'mal', id: '5114' }],
    })
    expect((await first('title,start date', 'a,5/6/2024')).error).toStartWith('started_on must be a date')
    const plays = await read('title,話,視聴日時\na,#2,2024/5/1 21:05\na,3,2024-05-02')
    expect(plays.map((row) => row.plays?.[0])).toMatchObject([
      { episode: 2, watchedAt: '2024-05-01T21:05' },
      { episode: 3, watchedAt: '2024-05-02' },
    ])
  })

  test('says in a column of its own what is private (D72)', async () => {
    const privateIn = async (cell: string) =>
      (await first('title,status,非公開', `a,watched,${cell}`)).isPrivate
    for (const cell of ['yes', 'TRUE', '1', '○', 'はい', '非公開'])
      expect([cell, await privateIn(cell)]).toEqual([cell, true])
    for (const cell of ['no', 'False', '0', 'いいえ'])
      expect([cell, await privateIn(cell)]).toEqual([cell, false])
    expect(await privateIn('')).toBeUndefined()
    expect((await first('title,status,private', 'a,watched,maybe')).error).toBe('private must be yes or no')
  })

  test('says by the day of viewing that a work was watched, unless it has another status', async () => {
    expect(await first('映画,作品名,鑑賞日,スコア', ',庭の映画,2023年4月1日,4.0')).toMatchObject({
      ...{ status: 'watched', finishedOn: '2023-04-01', score: { value: 4 } },
    })
    const row = await first('title,status,date', 'a,watching,2023-04-01')
    expect([row.status, row.finishedOn]).toEqual(['watching', undefined])
  })
})

describe('columns that somebody names', () => {
  const header = ['ID', '作品', 'みた？', 'a,b']
  test.each([
    ['title=作品,status=みた？', { columns: { title: 1, status: 2 } }],
    ['title = 2 , comment=4', { columns: { title: 1, comment: 3 } }],
    ['mal_id=id,status=:watched', { columns: { mal_id: 0 }, all: 'watched' }],
  ])('are found by name or number: %s', (text, columns) => {
    const found = columnsIn(text, header)
    expect(JSON.parse(JSON.stringify(found))).toEqual(columns)
    expect(found && columnsIn(columnsText(found), header)).toEqual(found)
  })

  test.each([
    '',
    'title=作品',
    'status=みた？',
    'title=5,status=3',
    'title=0,status=3',
    'titel=1,status=3',
    'title=作品,status=',
  ])('are refused if they are unknown or not enough: %s', (text) =>
    expect(columnsIn(text, header)).toBeUndefined(),
  )
})
