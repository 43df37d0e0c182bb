import { afterAll, expect, test } from 'bun:test'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { createFeed } from '../../src/accounts/calendar-feeds'
import { tellNewEpisodes } from '../../src/delivery/new-episodes'
import type { Deps } from '../../src/deps'
import { instantOf } from '../../src/lib/local-time'
import { at, createCalendar, daysIn, hour } from '../support/calendar'
import { week } from '../support/showings'

const { kiroku, handle, made, reset, open } = await createCalendar()
const { clock, deps } = kiroku
afterAll(kiroku.close)

const minute = 60_000
const random = randomOf(7)

/** Tuesday. Summer time ends in Berlin on the 25th, in New York a week later. */
const begin = at('2026-10-13T12:00')
const end = begin + 3 * week
const listed = Array.from({ length: 20 }, (_, n) => 500 + n)
const own = [
  { work: 520, zone: 'Asia/Tokyo', date: '2026-10-16', weekday: 5, clock: 25 * 60 + 30 },
  { work: 521, zone: 'Europe/Berlin', date: '2026-10-18', weekday: 0, clock: 20 * 60 },
  { work: 522, zone: 'America/New_York', date: '2026-10-18', weekday: 0, clock: 21 * 60 },
  { work: 523, zone: 'America/New_York', date: '2026-10-21', weekday: 3, clock: 23 * 60 + 30 },
  { work: 524, zone: 'Europe/Berlin', date: '2026-10-24', weekday: 6, clock: 26 * 60 + 15 },
]
const estimated = [525, 526, 527, 528, 529]

/** When each episode is shown, as this test knows it: told apart from how kiroku finds out. */
const shown = new Map<number, number>()

function plan(
  work: number,
  n: number,
  time: number,
  how: { estimated?: number; channel?: number } = {},
): void {
  made.program(work, n, time, how)
  shown.set(work * 1000 + n, time)
}

function seed(): void {
  reset()
  clock.now = begin
  for (let work = 501; work < 530; work++) {
    made.work(work, { season_year: 2026, season: 'autumn' })
    made.episodes(work, 12)
    made.status(1, work)
  }
  for (const [at, work] of listed.entries())
    for (let n = 1; n <= 6; n++) plan(work, n, begin + at * 7.5 * hour + hour / 2 + (n - 1) * week)
  for (const [at, work] of estimated.entries())
    for (let n = 1; n <= 6; n++)
      plan(work, n, begin + at * 30 * hour + 3 * hour + (n - 1) * week, { estimated: 1 })
  for (const { work, zone, date, weekday, clock: minutes } of own) {
    const columns = { user_id: 1, work_id: work, weekday, minute: minutes, time_zone: zone, begins_on: date }
    const names = Object.keys({ ...columns, first_episode: 1, changed_at: 1 })
    handle.run(
      `insert into own_slots (${names}) values (${names.map(() => '?')})`,
      Object.values({ ...columns, first_episode: 1, changed_at: 1 }),
    )
    for (let n = 1; n <= 6; n++)
      shown.set(work * 1000 + n, instantOf(Date.parse(date) + minutes * minute + (n - 1) * week, zone))
  }
  handle.run('update programs set changed_at = ?', [begin])
}

function move(episode: number, time: number): void {
  handle.run('update programs set started_at = ? where episode_id = ?', [time, episode])
  handle.run('update programs set changed_at = ? where episode_id = ?', [clock.now, episode])
  shown.set(episode, time)
}

/** What stations do meanwhile, by the hour at which it becomes known. */
const changes: Readonly<Record<number, () => void>> = {
  // No broadcast in the second week: what follows comes a week later.
  150: () => {
    for (let n = 6; n >= 2; n--) move(501_000 + n, (shown.get(501_000 + n) ?? 0) + week)
  },
  // The second episode moves past midnight in Tokyo.
  160: () => move(502_002, at('2026-10-22T00:40')),
  // A list on another channel takes the place of estimates.
  200: () => {
    handle.run('delete from programs where work_id = 525 and started_at > ?', [clock.now])
    for (let n = 3; n <= 6; n++)
      plan(525, n, (shown.get(525_000 + n) ?? 0) + 26 * hour + 35 * minute, { channel: 102 })
    handle.run('update programs set changed_at = ? where work_id = 525', [clock.now])
  },
}

/** The process ends before another write. */
function killedAfter(writes: number): Deps {
  let left = writes
  const write: Deps['write'] = (work) => {
    if (left-- === 0) throw new Error('killed')
    return deps.write(work)
  }
  return { ...deps, write }
}

const told = () =>
  handle
    .query<{ episode_id: number; began_at: number }, []>(
      "select episode_id, began_at from notifications where kind = 'episode' order by episode_id",
    )
    .all()

/** `date clock work episode`, by the 30-hour clock of Tokyo, as the page has it. */
function inTokyo(time: number, episode: number): string {
  const evening = new Date(time + 9 * hour - 6 * hour)
  const date = evening.toISOString().slice(0, 10)
  const clocks = `${evening.getUTCHours() + 6}:${String(evening.getUTCMinutes()).padStart(2, '0')}`
  return `${date} ${clocks} ${Math.floor(episode / 1000)} ${episode}`
}

async function byFeed(secret: string): Promise<string[]> {
  const body = await (await kiroku.ask(`/feeds/${secret}.ics`)).text()
  const events = new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent').flatMap((one) => {
    const { uid, startDate } = new ICAL.Event(one)
    if (String(one.getFirstPropertyValue('status')) === 'CANCELLED') return []
    return inTokyo(startDate.toJSDate().getTime(), Number(/episode-(\d+)/.exec(uid)?.[1]))
  })
  const byNode = Object.values(nodeIcal.sync.parseICS(body)).flatMap((one) =>
    one?.type === 'VEVENT' && one.status !== 'CANCELLED'
      ? inTokyo(one.start.getTime(), Number(/episode-(\d+)/.exec(one.uid)?.[1]))
      : [],
  )
  expect(byNode.toSorted()).toEqual(events.toSorted())
  return events
}

async function compare(secret: string): Promise<void> {
  const days = daysIn(await open())
  const onPage = Object.entries(days).flatMap(([date, entries]) =>
    entries.map((entry) => `${date} ${entry.replace(/ \w+$/, '')}`),
  )
  const dates = new Set(Object.keys(days))
  const inFeed = (await byFeed(secret)).filter((line) => dates.has(line.slice(0, 10)))
  expect(inFeed.toSorted()).toEqual(onPage.toSorted())
  const planned = [...shown]
    .map(([episode, time]) => inTokyo(time, episode))
    .filter((line) => dates.has(line.slice(0, 10)))
  expect(onPage.toSorted()).toEqual(planned.toSorted())
}

test('three weeks with 30 series: each episode is told once, and the feed agrees with the page (D80, D82, D84)', async () => {
  seed()
  const words = { language: 'en', titleLanguage: 'native', timeZone: 'Asia/Tokyo' } as const
  const said = { userId: 1, name: 'Phone', wanted: true, alarm: null, withRule: true, ...words }
  const { secret } = await createFeed(deps, said)
  await tellNewEpisodes(deps)
  let kills = 0
  let downUntil = 0
  for (let hours = 0; clock.now < end; ) {
    clock.now += 10 * minute
    if ((clock.now - begin) % hour === 0) {
      hours += 1
      changes[hours]?.()
      if (hours % 36 === 0) await compare(secret)
      // Sometimes the machine is off for up to nine hours.
      if (random() < 0.01) downUntil = clock.now + random() * 9 * hour
    }
    if (clock.now < downUntil) continue
    if (random() < 0.1) {
      const isKilled = await tellNewEpisodes(killedAfter(Math.floor(random() * 3))).then(
        () => false,
        () => true,
      )
      kills += Number(isKilled)
    } else await tellNewEpisodes(deps)
  }
  clock.now = end
  await tellNewEpisodes(deps)
  const expected = [...shown].filter(([, time]) => time > begin && time <= end)
  expect(told().map(({ episode_id, began_at }) => [episode_id, began_at])).toEqual(
    expected.toSorted(([one], [other]) => one - other),
  )
  expect([expected.length > 80, kills > 3]).toEqual([true, true])
}, 300_000)

/** Numbers from 0 to 1, the same each time (mulberry32). */
function randomOf(seedNumber: number): () => number {
  let state = seedNumber
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
