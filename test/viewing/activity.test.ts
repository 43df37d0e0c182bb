import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance, start } from '../support/instance'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const minute = 60_000
const [ritsu, azusa] = [2, 4]

interface ToldRow {
  readonly user_id: number
  readonly at: number
  readonly episode_id?: number
  readonly work_id?: number
  readonly comment?: string
  readonly rating_state?: string
  readonly status_kind?: 'wanna_watch' | 'watched'
  readonly private?: 1
}

/** What `writes` leave behind: rows and their activities. `at`: minutes from the start of the clock. */
async function tell(...rows: readonly ToldRow[]): Promise<void> {
  for (const { at, status_kind, private: isPrivate = 0, ...row } of rows) {
    const created_at = start + at * minute
    const { user_id, work_id = 1, episode_id = 1 } = row
    const activity = { user_id, work_id, created_at }
    if (status_kind !== undefined) {
      const told = { ...activity, action: 'create_status' as const, status_kind, private: isPrivate }
      await kiroku.deps.write((tx) => tx.insertInto('activities').values(told).execute())
    } else {
      const [record_id = 0] = await addRecords(kiroku, [{ ...row, episode_id, watched_at: created_at }])
      kiroku.store.handle.run('update records set private = ? where id = ?', [isPrivate, record_id])
      const told = { ...activity, action: 'create_record' as const, record_id }
      await kiroku.deps.write((tx) => tx.insertInto('activities').values(told).execute())
    }
  }
}

const follow = (other: number) =>
  kiroku.store.handle.run('insert into follows (follower_id, followed_id, created_at) values (1, ?, 1)', [
    other,
  ])

interface ShownEntry {
  readonly user: string
  readonly work: number
  readonly count: number
  readonly sentence: string
  readonly text: string
}

/** The entries of a page, as a program finds them. */
function entriesIn(text: string): ShownEntry[] {
  const articles = text.matchAll(
    /<article class="told" id="[^"]+" aria-labelledby="(told-\d+)" data-entry="\d+" data-user="([^"]*)" data-work="(\d+)" data-count="(\d+)">([\s\S]*?)<\/article>/g,
  )
  return [...articles].map(([, label = '', user = '', work, count, inside = '']) => {
    const [, sentence = ''] = new RegExp(`<p id="${label}">(.*?)</p>`).exec(inside) ?? []
    const words = (markup: string) =>
      markup
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim()
    return { user, work: Number(work), count: Number(count), sentence: words(sentence), text: words(inside) }
  })
}

const sentences = async (path: string, visitor = mio) =>
  entriesIn((await visitor.open(path)).text).map(({ sentence }) => sentence)

test('visitors sign in first', async () => {
  for (const path of ['/activity', '/activity/everyone'])
    expect((await createVisitor(kiroku).open(path)).location).toBe(
      `/sign_in?return_to=${encodeURIComponent(path)}`,
    )
})

describe('an entry', () => {
  beforeEach(() => follow(ritsu))

  test('tells episodes in a row as one, with when it began, the rating they share and the last comment', async () => {
    await addRecords(kiroku, [
      { user_id: 1, episode_id: 1, watched_at: start },
      { user_id: 1, episode_id: 2, watched_at: start },
    ])
    await tell(
      { user_id: ritsu, episode_id: 1, at: -150, rating_state: 'good', comment: '最初の感想' },
      { user_id: ritsu, episode_id: 2, at: -60, rating_state: 'good', comment: '次の感想' },
    )
    const [entry, ...others] = entriesIn((await mio.open('/activity')).text)
    expect(others).toEqual([])
    expect([entry?.user, entry?.work, entry?.count]).toEqual(['Ritsu_T', 1, 2])
    expect(entry?.sentence).toBe('律 watched episodes 1–2 of Garden of Falling Stars')
    for (const part of ['9:30 UTC–11:00 UTC', '2 in a row', 'Good', '次の感想'])
      expect(entry?.text).toContain(part)
    expect(entry?.text).not.toContain('最初の感想')
    const [, commented] = rowsOf(kiroku.store.handle, 'records').filter(({ comment }) => comment !== '')
    expect((await mio.open('/activity')).text).toContain(`class="to-thread" href="/records/${commented?.id}"`)
    const japanese = await createMember(kiroku, 'mio', { language: 'ja' })
    await prefer(kiroku, 1, { language: 'ja' })
    expect(await sentences('/activity', japanese)).toEqual(['律 が『星降る庭』の第1–2話を見ました'])
  })

  test('says nothing of a rating that they do not share, and names no numbers that have a gap', async () => {
    await tell(
      { user_id: ritsu, episode_id: 1, at: -20, rating_state: 'good' },
      { user_id: ritsu, episode_id: 3, at: -10, rating_state: 'bad' },
    )
    const [entry] = entriesIn((await mio.open('/activity')).text)
    expect(entry?.sentence).toBe('律 watched 2 episodes of Garden of Falling Stars')
    for (const word of ['Good', 'Bad', 'in a row']) expect(entry?.text).not.toContain(word)
  })

  test('tells statuses of one kind together, by their covers', async () => {
    await tell(
      { user_id: ritsu, work_id: 1, status_kind: 'wanna_watch', at: -30 },
      { user_id: ritsu, work_id: 2, status_kind: 'wanna_watch', at: -20 },
      { user_id: ritsu, work_id: 3, status_kind: 'watched', at: -10 },
    )
    const { text } = await mio.open('/activity')
    const [one, some] = entriesIn(text)
    expect([one?.count, some?.count, some?.sentence]).toEqual([1, 2, '律 plans to watch 2 works'])
    expect(one?.sentence).toStartWith('律 finished ')
    expect(/<div class="told-works">(.*?)<\/div>/.exec(text)?.[1]?.match(/<img/g)).toHaveLength(2)
  })

  test('stands at its newest activity: older ones are on no other page', async () => {
    await tell({ user_id: ritsu, episode_id: 1, at: -200 })
    for (let at = -190; at < -130; at += 1)
      await tell({ user_id: azusa, work_id: 2, status_kind: 'watched', at })
    follow(azusa)
    kiroku.store.handle.run(
      "update activities set work_id = 2 + id % 2, status_kind = iif(id % 2, 'watched', 'watching') where user_id = 4",
    )
    await tell({ user_id: ritsu, episode_id: 2, at: -120 })
    const first = await mio.open('/activity')
    const [, next = ''] = /rel="next" href="([^"]*)"/.exec(first.text) ?? []
    expect(next).toMatch(/^\/activity\?before=\d+$/)
    const pages = [first, await mio.open(next), await mio.open(`${next.split('=')[0]}=31`)]
    expect(pages.map(({ text }) => entriesIn(text).length)).toEqual([30, 30, expect.any(Number)])
    expect(entriesIn(first.text)[0]?.sentence).toBe('律 watched episodes 1–2 of Garden of Falling Stars')
    for (const page of pages.slice(1)) expect(page.text).not.toContain('data-user="Ritsu_T"')
  })
})

describe('a text about what the reader has not watched', () => {
  beforeEach(async () => {
    follow(ritsu)
    await tell({ user_id: ritsu, episode_id: 2, at: -10, comment: '第2話の秘密' })
  })

  test('is not in the page, but behind a link', async () => {
    const { text } = await mio.open('/activity')
    expect(text).not.toContain('第2話の秘密')
    const [, shown = ''] = /<div class="fold">[\s\S]*?href="([^"#]*)#record-\d+"/.exec(text) ?? []
    expect(shown).toBe('/activity?spoilers=show')
    expect((await mio.open(shown)).text).toContain('第2話の秘密')
  })

  test('is there once they have, for its writer, and where nothing is guarded', async () => {
    const writer = await createMember(kiroku, 'Ritsu_T')
    expect((await writer.open('/activity/everyone')).text).toContain('第2話の秘密')
    await prefer(kiroku, 1, { guards_spoilers: 0 })
    expect((await mio.open('/activity')).text).toContain('第2話の秘密')
    await prefer(kiroku, 1, { guards_spoilers: 1 })
    await addRecords(kiroku, [{ user_id: 1, episode_id: 2, watched_at: start }])
    expect((await mio.open('/activity')).text).toContain('第2話の秘密')
  })
})

test('a heart likes the last record, and takes that back', async () => {
  follow(ritsu)
  await tell({ user_id: ritsu, episode_id: 1, at: -20 }, { user_id: ritsu, episode_id: 2, at: -10 })
  const last = rowsOf(kiroku.store.handle, 'records').find(
    ({ episode_id, user_id }) => episode_id === 2 && user_id === ritsu,
  )
  const likes = () => rowsOf(kiroku.store.handle, 'likes').map((row) => [row.user_id, row.record_id])
  const pressed = await mio.submit('/activity', {}, '/likes')
  expect([pressed.location, likes()]).toEqual(['/activity', [[1, last?.id]]])
  const { text } = await mio.open('/activity')
  expect(text).toContain('aria-pressed="true"')
  expect(hiddenInputs(text, '/likes')).toMatchObject({ record_id: String(last?.id), liked: '0' })
  await mio.submit('/activity', {}, '/likes')
  expect(likes()).toEqual([])
})

test('everybody is on one page, one’s own as others see it; who is not followed is not on the other', async () => {
  await tell(
    { user_id: azusa, at: -30 },
    { user_id: 1, at: -20 },
    { user_id: 1, at: -10, work_id: 2, private: 1, status_kind: 'watched' },
  )
  expect((await sentences('/activity/everyone')).map((sentence) => sentence.split(' ')[0])).toEqual([
    'みお',
    '梓',
  ])
  expect(await sentences('/activity')).toEqual([])
})

test('nothing private, muted, blocked or of a disabled account, which an entry of several records does not count', async () => {
  follow(ritsu)
  await tell(
    { user_id: ritsu, episode_id: 1, at: -20, private: 1 },
    { user_id: ritsu, episode_id: 2, at: -10 },
  )
  const { id = 0 } =
    kiroku.store.handle
      .query<{ id: number }, []>(
        "insert into activities (user_id, work_id, action, created_at) values (2, 1, 'create_multiple_records', 1) returning id",
      )
      .all()[0] ?? {}
  kiroku.store.handle.run('insert into activity_records select ?, id from records where user_id = 2', [id])
  kiroku.store.handle.run('delete from activities where id <> ?', [id])
  for (const visitor of [mio, await createMember(kiroku, 'Ritsu_T')])
    expect(
      entriesIn((await visitor.open('/activity/everyone')).text).map(({ count, sentence }) => [
        count,
        sentence,
      ]),
    ).toEqual([[1, '律 watched episode 2 of Garden of Falling Stars']])
  for (const sql of [
    'insert into mutes (user_id, muted_id, created_at) values (1, 2, 1)',
    'insert into blocks (user_id, blocked_id, created_at) values (2, 1, 1)',
    'update users set disabled_at = 1 where id = 2',
  ]) {
    kiroku.store.handle.run(sql)
    expect([sql, await sentences('/activity'), await sentences('/activity/everyone')]).toEqual([sql, [], []])
    kiroku.store.handle.run('delete from mutes')
    kiroku.store.handle.run('delete from blocks')
    kiroku.store.handle.run('update users set disabled_at = null where id = 2')
  }
  expect(await sentences('/activity')).toHaveLength(1)
})

test('who follows nobody is told so, and led to everybody', async () => {
  const { text } = await mio.open('/activity')
  expect(text).toContain('What the people you follow watch appears here.')
  expect(text).toContain('href="/activity/everyone"')
  expect((await mio.open('/@mio')).text).toContain('href="/activity"')
})
