import { expect, test } from 'bun:test'
import { catalogueStore, episode, work } from '../../support/catalogue-store'

test('what only its writer sees keeps its episode, and its episode becomes real, as what is shared does (D74)', async () => {
  const store = await catalogueStore()
  await store.load('mine', [work('a:1', { episodes_estimate: 13 })])
  const users =
    "insert into users (id, username, username_key, name, email, email_key, password_hash, created_at) values (1, 'mio', 'mio', 'mio', 'm', 'm', '', 0)"
  store.handle.run(users)
  store.handle.run(`insert into records (user_id, work_id, episode_id, private, comment, watched_at, created_at)
    select 1, work_id, id, 1, '', 0, 0 from episodes where number in ('2', '3', '13')`)
  await store.load('mine', [work('a:1', { episodes_estimate: 11 })])
  await store.load('annict', [episode('annict:502', 'a:1', 2, { title: 'Second' })])
  const recorded =
    'select number, title, estimated from records join episodes on episodes.id = episode_id order by sort_number'
  expect(store.rows(recorded)).toEqual([
    { number: '2', title: 'Second', estimated: 0 },
    { number: '3', title: '', estimated: 1 },
    { number: '13', title: '', estimated: 1 },
  ])
  store.close()
})
