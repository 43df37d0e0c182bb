import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, type Instance, start } from '../support/instance'
import { createMember, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const ritsu = 2
const run = (sql: string, ...values: (string | number)[]) => kiroku.store.handle.run(sql, values)
const works = [1, 2, 3, 5, 9]

function status(user: number, work: number, kind = 'watched'): void {
  run('insert into statuses (user_id, work_id, kind, changed_at) values (?, ?, ?, 1)', user, work, kind)
}

function rate(user: number, work: number, rating: string): void {
  run(
    'insert into reviews (user_id, work_id, rating_overall_state, created_at) values (?, ?, ?, 1)',
    ...[user, work, rating],
  )
}

const box = async (of = 'Ritsu_T') =>
  /<section class="box common-works">([\s\S]*?)<\/section>/.exec((await mio.open(`/@${of}`)).text)?.[1]

describe('works in common', () => {
  test('are those that both watched or began, with covers; nothing is said where there are none', async () => {
    expect(await box()).toBeUndefined()
    status(1, 1)
    status(ritsu, 1, 'watching')
    status(1, 2, 'wanna_watch')
    status(ritsu, 2)
    const shown = await box()
    expect(shown).toContain('1 work in common')
    expect(shown?.match(/href="\/works\/1"/g)).toHaveLength(1)
    expect(await box('mio')).toBeUndefined()
  })

  test('say from five on how many both rated alike, by the newest rating of each', async () => {
    for (const work of works) {
      status(1, work)
      status(ritsu, work)
      rate(1, work, 'good')
    }
    for (const work of works.slice(0, 4)) rate(ritsu, work, 'good')
    expect(await box()).not.toContain('You both rated')
    rate(ritsu, 9, 'bad')
    expect(await box()).toContain('You both rated 5, and 4 of them alike.')
    rate(ritsu, 1, 'great')
    expect(await box()).toContain('You both rated 5, and 3 of them alike.')
  })

  test('count nothing that the other keeps private', async () => {
    for (const work of works) {
      status(1, work)
      status(ritsu, work)
      rate(1, work, 'good')
      rate(ritsu, work, 'good')
    }
    run('update statuses set private = 1 where user_id = 2 and work_id = 9')
    run('update reviews set private = 1 where user_id = 2 and work_id = 9')
    const shown = await box()
    expect(shown).toContain('4 works in common')
    expect(shown).not.toContain('You both rated')
  })
})

test('what another did last is told as activity is, with a heart; one’s own profile has the diary', async () => {
  for (const user of [1, ritsu]) {
    const ids = await addRecords(
      kiroku,
      [1, 2].map((episode_id) => ({ user_id: user, episode_id, watched_at: start })),
    )
    for (const id of ids)
      run(
        "insert into activities (user_id, work_id, action, record_id, created_at) values (?, 1, 'create_record', ?, ?)",
        ...[user, id, start],
      )
  }
  const other = (await mio.open('/@Ritsu_T')).text
  expect(other.match(/<article class="told"/g)).toHaveLength(1)
  expect(other).toContain('action="/likes"')
  expect(other).toContain('href="/@Ritsu_T/diary">The whole diary')
  const own = (await mio.open('/@mio')).text
  expect([own.includes('<article'), own.includes('watched-works')]).toEqual([false, true])
})

test('says who follows the reader, and that the link is theirs', async () => {
  await prefer(kiroku, ritsu, { url: 'https://ritsu.example/' })
  expect((await mio.open('/@Ritsu_T')).text).not.toContain('follows you')
  run('insert into follows (follower_id, followed_id, created_at) values (2, 1, 1)')
  const { text } = await mio.open('/@Ritsu_T')
  expect(text).toContain('follows you')
  expect(text).toContain('href="https://ritsu.example/" rel="me nofollow noreferrer"')
})
