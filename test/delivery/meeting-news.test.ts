import { afterAll, expect, test } from 'bun:test'
import { createNews } from '../support/news'

const { kiroku, handle, receiver, later, add, close } = await createNews()
const { clock } = kiroku
const { received } = receiver
afterAll(close)

const second = 1000
const hour = 3600 * second

test('news of a date to watch together have its title and its time, and go to nobody whom it no longer concerns (D79)', async () => {
  await add({ kind: 'webhook', url: receiver.url, events: 'notification' })
  handle.run("update users set time_zone = 'Asia/Tokyo', language = 'en' where id = 1")
  const begins = Date.UTC(2026, 3, 3, 12)
  const [{ id = 0 } = {}] = handle
    .query<{ id: number }, [number]>(
      `insert into meetings (user_id, work_id, begins_at, location, body, is_open, created_at, changed_at)
       values (2, 1, ?, '部屋', '内緒', 0, 1, 1) returning id`,
    )
    .all(begins)
  handle.run('insert into meeting_episodes (meeting_id, episode_id) values (?, 2)', [id])
  handle.run('insert into meeting_people (meeting_id, user_id) values (?, 1)', [id])
  const tell = (step: string) =>
    handle.run(
      `insert into notifications (user_id, actor_id, kind, meeting_id, meeting_step, created_at)
       values (1, 2, 'meeting', ?, ?, ?)`,
      [id, step, clock.now],
    )
  tell('asked')
  await later(0)
  await later(20 * second)
  const [item] = JSON.parse(received[0]?.body ?? '').data.items
  expect(item).toMatchObject({
    work: { id: 1 },
    episode: { id: 2 },
    started_at: '2026-04-03T12:00:00.000Z',
  })
  expect([item.text, item.url]).toEqual([
    expect.stringMatching(/ asks you to watch .+ \(Fri,? 3 Apr 21:00\) together$/),
    expect.stringMatching(new RegExp(`/meetings/${id}$`)),
  ])
  expect(JSON.stringify(item)).not.toContain('内緒')
  handle.run('delete from meeting_people where meeting_id = ?', [id])
  tell('moved')
  await later(hour)
  await later(hour)
  expect(received).toHaveLength(1)
})
