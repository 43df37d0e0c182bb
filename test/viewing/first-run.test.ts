import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember, createVisitor } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const member = await createMember(kiroku, 'mio')
afterAll(kiroku.close)

const addWork = (id: number, season_year: number, season: string, media = 'tv') =>
  handle.run(
    'insert into works (id, title, media, season_year, season, source_id) values (?, ?, ?, ?, ?, 1)',
    [id, `空の庭${id}`, media, season_year, season],
  )

beforeEach(() => {
  for (const table of ['acts', 'activity_deletions', 'activities', 'statuses', 'library_entries'])
    handle.run(`delete from ${table} where true`)
  handle.run('delete from works where id >= 100')
})

const welcome = async () => (await member.open('/welcome')).text
const order = (text: string) => [...text.matchAll(/id="row-(\d+)"/g)].map(([, id]) => Number(id))

test('is for members: visitors sign in first', async () => {
  const page = await createVisitor(kiroku).open('/welcome')
  expect([page.status, page.location]).toEqual([303, '/sign_in?return_to=%2Fwelcome'])
})

test('says what to do if there is nothing to pick', async () => {
  const text = await welcome()
  expect(text).toContain('There is nothing to pick from yet')
  expect(text).toMatch(/<a class="button filled" href="\/">Skip</)
})

test('offers the series of this season and the three before, and nothing else', async () => {
  addWork(101, 2026, 'spring')
  addWork(102, 2025, 'summer')
  addWork(103, 2025, 'spring')
  addWork(104, 2026, 'summer')
  addWork(105, 2026, 'winter', 'movie')
  addWork(106, 2026, 'winter', 'web')
  expect(order(await welcome())).toEqual([101, 106, 102])
})

test('offers the best known of each season in turn, starting with the latest, whose works are less known', async () => {
  addWork(101, 2026, 'winter')
  addWork(102, 2026, 'winter')
  addWork(103, 2026, 'spring')
  addWork(104, 2026, 'spring')
  handle.run('update works set popularity = id where id in (101, 102)')
  expect(order(await welcome())).toEqual([103, 102, 104, 101])
})

test('finds others by typing, to be picked in the same way', async () => {
  const titled = async (text: string) => (await member.open(`/welcome?q=${encodeURIComponent(text)}`)).text
  const found = await titled('星降る庭')
  expect(order(found)[0]).toBe(1)
  expect(found).toContain('action="/welcome" data-instant data-swap="#offered"')
  expect(found).toContain('name="return_to" value="/welcome?q=')
  for (const text of ['zzzzqqq', 'x'.repeat(300)]) expect(await titled(text)).toContain('No works found')
})

test('offers the 60 best known, on a page of at most 50 KB', async () => {
  const title = '異世界に転生したら最強の剣士だったので気ままに'
  for (let id = 101; id <= 180; id += 1) addWork(id, 2026, 'winter')
  handle.run('update works set title = ? where id >= 100', [title])
  handle.run('update works set popularity = 9 where id = 180')
  const text = await welcome()
  expect(order(text)).toEqual([180, ...Array.from({ length: 59 }, (_, index) => 101 + index)])
  expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024)
})

test('a press adds a series as watching, the next one removes it', async () => {
  addWork(101, 2026, 'spring')
  const kinds = () => handle.query('select kind from statuses').values().flat()
  const press = async () => {
    const [, kind = ''] = /<button name="kind" value="(\w+)"/.exec(await welcome()) ?? []
    return await member.submit('/welcome', { kind }, '/status')
  }
  expect((await press()).location).toBe('/welcome')
  expect(kinds()).toEqual(['watching'])
  const picked = await welcome()
  expect(picked).toMatch(/class="card picked" id="row-101"[\s\S]*aria-pressed="true"/)
  expect(picked).toContain('1 picked')
  expect(picked).toMatch(/<a class="button filled" href="\/">Start</)
  await press()
  expect(kinds()).toEqual([])
  expect(await welcome()).toContain('Nothing picked yet')
})

test('has the full width, with only the logo above it', async () => {
  const text = await welcome()
  expect(text).not.toContain('class="narrow"')
  expect(text).not.toContain('class="navigation"')
  expect((await createVisitor(kiroku).open('/sign_in')).text).toContain('class="narrow"')
})

test('what is picked is in Track', async () => {
  addWork(101, 2026, 'spring')
  await member.submit('/welcome', { kind: 'watching' }, '/status')
  expect((await member.open('/')).text).toContain('data-work="101"')
})
