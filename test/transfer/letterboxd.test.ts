import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detect } from '../../src/transfer/detect'
import { writeZip } from '../support/zip-file'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-letterboxd-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('each viewing in the diary is a play, with the review of its day', async () => {
  const path = join(folder, 'export.zip')
  await writeZip(path, {
    'diary.csv':
      'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n' +
      '2023-05-10,Fireworks,2017,https://boxd.it/a,3.5,,,2023-05-01\n' +
      '2024-05-10,Fireworks,2017,https://boxd.it/b,5,Yes,,2024-05-01\n' +
      '2024-06-10,Your Name.,2016,https://boxd.it/c,,,,2024-06-01\n' +
      '2024-06-11,Your Name.,2016,https://boxd.it/d,,Yes,,2024-06-08\n',
    'reviews.csv':
      'Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n' +
      '2024-05-10,Fireworks,2017,https://boxd.it/b,5,Yes,二度目,,2024-05-01\n' +
      '2024-06-10,Your Name.,2016,https://boxd.it/e,,,泣いた,,\n',
    'watched.csv': 'Date,Name,Year,Letterboxd URI\n2023-01-01,Akira,1988,https://boxd.it/f\n',
  })
  const { reader, contents } = await detect(path, 'export.zip')
  const rows = await Array.fromAsync(reader.rows(contents))
  expect(rows.map(({ title, score, note, plays }) => [title, score?.value, note, plays])).toEqual([
    ['Fireworks', 3.5, undefined, [{ episode: 0, watchedAt: '2023-05-01' }]],
    ['Fireworks', 5, '二度目', [{ episode: 0, watchedAt: '2024-05-01' }]],
    ['Your Name.', undefined, '泣いた', [{ episode: 0, watchedAt: '2024-06-01' }]],
    ['Your Name.', undefined, undefined, [{ episode: 0, watchedAt: '2024-06-08' }]],
    ['Akira', undefined, undefined, []],
  ])
})
