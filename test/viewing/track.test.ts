import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember, createVisitor } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const member = await createMember(kiroku, 'mio')
const now = kiroku.clock.now
const hour = 3_600_000
afterAll(kiroku.close)

handle.run("insert into channel_groups (id, name, source_id) values (1, '地上波', 1)")
handle.run(
  "insert into channels (id, channel_group_id, name, source_id) values (1, 1, 'テレ東', 1), (2, 1, 'BS11', 1)",
)

beforeEach(() => {
  for (const table of ['acts', 'statuses', 'records', 'programs']) handle.run(`delete from ${table}`)
})

const watch = (work: number, kind = 'watching') =>
  handle.run('insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, ?, 1)', [work, kind])

const program = (work: number, episode: number | null, at: number, channel = 1) =>
  handle.run(
    'insert into programs (channel_id, work_id, episode_id, started_at, source_id) values (?, ?, ?, ?, 1)',
    [channel, work, episode, at],
  )

const track = async (query = '') => (await member.open(`/${query}`)).text
const order = (text: string) => [...text.matchAll(/id="row-(\d+)"/g)].map(([, id]) => Number(id))
const section = (text: string, id: string) =>
  new RegExp(`id="${id}"[\\s\\S]*?</section>`).exec(text)?.[0] ?? ''

test('is for members: visitors see what the instance is', async () => {
  const page = await createVisitor(kiroku).open('/')
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('data-act="record"')
})

test('says what to do as long as nothing is being watched', async () => {
  const text = await track()
  expect(text).toContain('You are not watching anything yet')
  expect(text).toContain('href="/welcome"')
})

test('has a row for each work being watched, with the button that records its next episode', async () => {
  watch(1)
  watch(2, 'wanna_watch')
  watch(9)
  const text = await track()
  expect(order(text)).toEqual([1])
  expect(text).toMatch(/<form[^>]*data-act="record"[^>]*>[\s\S]*?<button[^>]*name="episode_id" value="4"/)
  expect(text).toContain('data-work="1"')
  await member.submit('/', { episode_id: '4' }, '/record')
  expect(await track()).toMatch(/name="episode_id" value="2"/)
})

test('each button names the work and the episode', async () => {
  watch(1)
  expect(await track()).toContain('aria-label="Record 特別編 of Garden of Falling Stars"')
})

describe('the order', () => {
  beforeEach(() => {
    for (const work of [1, 2, 5, 6]) watch(work)
    handle.run(
      "insert or ignore into episodes (id, work_id, number, sort_number, source_id) values (51, 5, '1', 10, 1), (61, 6, '1', 10, 1)",
    )
    program(1, 4, now - 5 * hour)
    program(5, 51, now + 2 * hour)
    program(6, 61, now - hour)
  })

  test('by airing is first what can be watched, newest first, then what is to come', async () => {
    expect(order(await track())).toEqual([6, 1, 2, 5])
    expect(order(await track('?sort=nonsense'))).toEqual([6, 1, 2, 5])
  })

  test('by last watched begins with the work of the last record', async () => {
    handle.run(
      'insert into records (user_id, work_id, episode_id, watched_at, created_at) values (1, 2, 6, 1, 1), (1, 1, 4, 1, 1)',
    )
    expect(order(await track('?sort=recent')).slice(0, 2)).toEqual([1, 2])
    const earlier = 'insert into records (id, user_id, work_id, episode_id, watched_at, created_at) values'
    handle.run(
      `${earlier} (901, 1, 5, 51, 1, 1), (902, 1, 6, 61, 1, 1), (903, 1, 6, 61, 1, 1), (904, 1, 5, 51, 1, 1)`,
    )
    expect(order(await track('?sort=recent'))).toEqual([5, 6, 1, 2])
  })

  test('by title is in the language of titles', async () => {
    expect(order(await track('?sort=title'))).toEqual([5, 6, 1, 2])
  })
})

describe('today', () => {
  test('has the broadcasts until 5 in the morning, of works watched or planned, and marks recorded ones', async () => {
    watch(1)
    watch(2, 'wanna_watch')
    watch(6, 'stop_watching')
    const start = Date.parse(new Date(now).toISOString().slice(0, 10)) + 5 * hour
    program(1, 4, start + hour)
    program(1, 2, start + 23 * hour)
    program(1, 3, start + 25 * hour)
    program(2, 6, start + 2 * hour)
    program(6, null, start + 3 * hour)
    handle.run(
      'insert into records (user_id, work_id, episode_id, watched_at, created_at) values (1, 1, 4, 1, 1)',
    )
    const today = section(await track(), 'today')
    expect([...today.matchAll(/class="broadcast/g)]).toHaveLength(3)
    expect(today.match(/Recorded/g)).toHaveLength(1)
    expect(today).not.toContain('/works/6"')
  })

  test('has an episode once, on the first of its channels', async () => {
    watch(1)
    const start = Date.parse(new Date(now).toISOString().slice(0, 10)) + 20 * hour
    program(1, 4, start + hour, 2)
    program(1, 4, start)
    program(1, 2, start)
    const today = section(await track(), 'today')
    expect([...today.matchAll(/class="broadcast/g)]).toHaveLength(2)
    expect([today.includes('テレ東'), today.includes('BS11')]).toEqual([true, false])
  })

  test('has broadcasts calculated from the first one and the interval, marked as estimated', async () => {
    watch(1)
    const start = Date.parse(new Date(now).toISOString().slice(0, 10)) + 20 * hour
    handle.run(
      "update works set released_on = '', broadcast_begin = ?, broadcast_interval = 'P7D' where id = 1",
      [start - 7 * 24 * hour],
    )
    const today = section(await track(), 'today')
    expect(today).toContain('Ep. 2')
    expect(today).toContain('estimated')
    handle.run("update works set broadcast_begin = null, broadcast_interval = '' where id = 1")
  })
})

test('planned works that start within a week are listed', async () => {
  watch(5, 'wanna_watch')
  watch(6, 'wanna_watch')
  program(5, null, now + 48 * hour)
  program(6, null, now + 24 * 24 * hour)
  const text = await track()
  expect(text).toContain('Starts this week')
  expect(text).toContain('href="/works/5"')
  expect(text).not.toContain('href="/works/6"')
  handle.run("update works set broadcast_begin = ?, broadcast_interval = 'P7D' where id = 5", [
    now - 24 * 24 * hour,
  ])
  expect(await track()).not.toContain('Starts this week')
  handle.run("update works set broadcast_begin = null, broadcast_interval = '' where id = 5")
})

test('after the last episode, a list that may grow grows, and the work can be set to watched', async () => {
  watch(4)
  expect(await track()).toContain('data-act="add_episode"')
  await member.submit('/', {}, '/episodes')
  const text = await track()
  expect(text).toMatch(/data-work="4"[\s\S]*data-act="record"/)
  handle.run('delete from episodes where work_id = 4')
})

test('has 25 rows per page; what was just recorded stays on its page', async () => {
  const many = Array.from({ length: 35 }, (_, index) => 200 + index)
  for (const id of many) {
    handle.run(
      "insert into works (id, title, media, season_year, season, source_id) values (?, ?, 'tv', 2020, 'spring', 1)",
      [id, `作品${id}`],
    )
    handle.run('insert into episodes (work_id, number, sort_number, source_id) values (?, 1, 10, 1)', [id])
    watch(id)
  }
  const first = await track('?sort=title')
  expect(order(first)).toEqual(many.slice(0, 25))
  expect(first).toContain('href="/?sort=title&#38;page=2"')
  expect(order(await track('?sort=title&page=2'))).toEqual(many.slice(25))
  expect(order(await track('?sort=title&page=9'))).toEqual(many.slice(25))
  expect(first).toContain('name="return_to" value="/?sort=title&#38;keep=204"')
  expect(order(await track('?sort=title&page=2&keep=204'))).toEqual([204, ...many.slice(25)])
  expect(order(await track('?sort=title&keep=nonsense'))).toEqual(many.slice(0, 25))
  handle.run('delete from statuses where work_id >= 200')
})

test('an address with a base path is kept in every link and form', async () => {
  const nested = await createInstance({ config: { baseUrl: 'http://localhost:3000/anime' } })
  const reader = await createMember(nested, 'mio')
  nested.store.handle.run(
    "insert into statuses (user_id, work_id, kind, changed_at) values (1, 1, 'watching', 1)",
  )
  const { text } = await reader.open('/anime/')
  const targets = [...text.matchAll(/(?:href|action|src)="(\/[^"]*)"/g)].map(([, target]) => target)
  expect(targets.filter((target) => !target?.startsWith('/anime/'))).toEqual([])
  await nested.close()
})

describe('catching up', () => {
  const recorded = () =>
    handle
      .query<{ episode_id: number }, []>('select episode_id from records order by id')
      .all()
      .map(({ episode_id }) => episode_id)

  beforeEach(() => {
    watch(1)
    program(1, 4, now - 15 * 24 * hour)
    program(1, 2, now - 8 * 24 * hour)
    program(1, 3, now - 24 * hour)
    program(1, 1, now + 6 * 24 * hour)
  })

  test('records what has been broadcast, and says so if nothing has', async () => {
    const aired = () => member.submit('/', { work_id: '1' }, '/record/aired')
    await aired()
    expect(recorded()).toEqual([4, 2, 3])
    expect(await track()).toContain('Recorded 3 episodes')
    await aired()
    expect(await track()).toContain('No more episodes have aired yet')
    expect(recorded()).toEqual([4, 2, 3])
  })

  test('is in the sheet of the next episode, with their number', async () => {
    const sheet = async (episode: number) => (await member.open(`/record/new?episode=${episode}`)).text
    expect(await sheet(4)).toMatch(/data-act="aired"[\s\S]*?Record all \d that have aired/)
    expect(await sheet(2)).not.toContain('data-act="aired"')
  })

  test('has nothing to record for a work that the user does not watch', async () => {
    await member.submit('/', { work_id: '99999' }, '/record/aired')
    expect(recorded()).toEqual([])
  })
})
