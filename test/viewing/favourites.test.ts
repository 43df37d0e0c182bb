import { afterAll, beforeEach, expect, test } from 'bun:test'
import { contentOf } from '../support/acts'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { createProgrammes } from '../support/showings'
import { createMember, createVisitor, hiddenInputs, type Page } from '../support/visitor'
import { prefer } from '../support/watched-rows'

const kiroku = await createInstance()
const { handle } = kiroku.store
const made = createProgrammes(handle)
const mio = await createMember(kiroku, 'mio')
const works = Array.from({ length: 11 }, (_, at) => 500 + at)
afterAll(kiroku.close)
for (const work of works) made.work(work)
beforeEach(() => {
  for (const table of ['favorites', 'acts', 'changes', 'blocks']) handle.run(`delete from ${table}`)
  handle.run("update users set privacy = 'members'")
  handle.run('update works set hidden = 0 where id >= 500')
})

const favourites = () =>
  handle
    .query<{ work_id: number }, []>(
      'select work_id from favorites where user_id = 1 order by position, favorites.id',
    )
    .all()
    .map(({ work_id }) => work_id)

/** Presses ★ on a work's page. */
const star = async (work: number, action = '/favorite') =>
  await mio.follow(
    (await mio.post(action, hiddenInputs((await mio.open(`/works/${work}`)).text, action))).location,
  )

/** Presses one of the buttons under a favourite of one's profile. */
async function onProfile(work: number, action: string, values: Record<string, string> = {}) {
  const { text } = await mio.open('/@mio')
  const [own = ''] = new RegExp(`<li data-work="${work}">[\\s\\S]*?</li>`).exec(text) ?? []
  return await mio.follow((await mio.post(action, { ...hiddenInputs(own, action), ...values })).location)
}

async function undo({ text }: Page) {
  const [, act_id = ''] = /name="act_id" value="([0-9]+)"/.exec(text) ?? []
  return await mio.follow((await mio.post('/undo', { ...hiddenInputs(text, '/undo'), act_id })).location)
}

const shownOn = ({ text }: Page) =>
  [...text.matchAll(/<li data-work="(\d+)"><a class="card"/g)].map(([, work]) => Number(work))

test('★ of a work’s page makes it a favourite, says so, and is undone (D120)', async () => {
  expect((await mio.open('/works/500')).text).toMatch(/action="\/favorite"[\s\S]+?aria-pressed="false"/)
  const before = contentOf(handle)
  const done = await star(500)
  expect(done.text).toContain('Made 作品500 a favourite')
  expect(done.text).toMatch(/action="\/unfavorite"[\s\S]+?aria-pressed="true"/)
  expect(favourites()).toEqual([500])
  expect((await undo(done)).text).toContain('Undone')
  expect(contentOf(handle)).toEqual(before)
  await star(500)
  const gone = await star(500, '/unfavorite')
  expect([gone.text.includes('Removed 作品500 from your favourites'), favourites()]).toEqual([true, []])
  await undo(gone)
  expect(favourites()).toEqual([500])
})

test('favourites stand in an order of their own on the profile, which its buttons change', async () => {
  for (const work of [502, 500, 501]) await star(work)
  expect(shownOn(await mio.open('/@mio'))).toEqual([502, 500, 501])
  const moved = await onProfile(501, '/favorite/move', { to: 'earlier' })
  expect([moved.text.includes('Moved 作品501 among your favourites'), shownOn(moved)]).toEqual([
    true,
    [502, 501, 500],
  ])
  await onProfile(502, '/favorite/move', { to: 'later' })
  expect(favourites()).toEqual([501, 502, 500])
  const ended = await mio.post('/favorite/move', {
    ...hiddenInputs((await mio.open('/@mio')).text, '/favorite/move'),
    ...{ work_id: '500', to: 'later' },
  })
  expect((await mio.follow(ended.location)).text).toContain('so nothing changed')
  // What is hidden keeps its place, and is passed.
  handle.run('update works set hidden = 1 where id = 502')
  expect(shownOn(await onProfile(500, '/favorite/move', { to: 'earlier' }))).toEqual([500, 501])
  handle.run('update works set hidden = 0 where id = 502')
  expect(favourites()).toEqual([500, 501, 502])
  expect(shownOn(await onProfile(501, '/unfavorite'))).toEqual([500, 502])
})

test('a move is undone, but not past a later one of the same work', async () => {
  for (const work of [500, 501, 502]) await star(work)
  const before = contentOf(handle)
  const first = await onProfile(500, '/favorite/move', { to: 'later' })
  const second = await onProfile(500, '/favorite/move', { to: 'later' })
  expect((await undo(first)).text).toContain('Undo it first: “Moved 作品500 among your favourites”')
  expect(favourites()).toEqual([501, 502, 500])
  await undo(second)
  await undo(first)
  expect(contentOf(handle)).toEqual(before)
})

test('there are ten at most: the eleventh is refused on the page, by the API and by an undo', async () => {
  const [last = 0, ...ten] = works.toReversed()
  for (const work of ten) await star(work)
  const refused = await star(last)
  expect(refused.text).toContain('You have ten favourites already')
  const person = await personOf(kiroku, 'mio')
  expect(await person.refused('invalid_params', 'POST', '/v1/me/favorites', { work_id: last })).toEqual([
    'work_id must be of one of at most 10 favorite works of the caller.',
  ])
  expect(favourites()).toEqual(ten)
  const gone = await star(500, '/unfavorite')
  await star(last)
  expect((await undo(gone)).text).toContain('This has changed since')
  expect(favourites()).toEqual([...ten.filter((work) => work !== 500), last])
  await star(last, '/unfavorite')
  await undo(gone)
  expect(favourites()).toEqual(ten)
})

test('a favourite that was removed and added again since is not added twice by an undo', async () => {
  await star(500)
  const gone = await star(500, '/unfavorite')
  await (await personOf(kiroku, 'mio')).done('POST', '/v1/me/favorites', { work_id: 500 })
  expect((await undo(gone)).text).toContain('This has changed since')
  expect(favourites()).toEqual([500])
})

test('others see favourites as everything of their person (D72, D78)', async () => {
  await star(500)
  const sees = async (visitor: ReturnType<typeof createVisitor>) => shownOn(await visitor.follow('/@mio'))
  const ritsu = await createMember(kiroku, 'Ritsu_T')
  const seen = await ritsu.open('/@mio')
  expect([shownOn(seen), seen.text.includes('action="/favorite/move"')]).toEqual([[500], false])
  expect(await sees(createVisitor(kiroku))).toEqual([])
  await prefer(kiroku, 1, { privacy: 'public' })
  expect(await sees(createVisitor(kiroku))).toEqual([500])
  await prefer(kiroku, 1, { privacy: 'private' })
  handle.run('update favorites set withheld = 1')
  expect([await sees(ritsu), await sees(mio)]).toEqual([[], [500]])
})
