import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { add } from '../support/seed'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor } from '../support/visitor'
import { addSeries, cellsOf, csrfIn } from '../support/works'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const mio = await createMember(kiroku, 'mio')
const azusa = await createMember(kiroku, 'azusa')
const visitor = createVisitor(kiroku)
afterAll(kiroku.close)

await deps.write(async (tx) => {
  await add(tx, 'redirects', [{ kind: 'work', from_id: 900, to_id: 1 }])
  await tx.updateTable('records').set({ comment: '夜の場面がすごい' }).where('id', '=', 3).execute()
  await tx.updateTable('records').set({ comment: '聞きたくない話' }).where('id', '=', 6).execute()
  await tx.updateTable('reviews').set({ body: '最後まで見てよかった' }).where('id', '=', 2).execute()
})
await addSeries(kiroku, 50, 120)
await addSeries(kiroku, 51, 12, { estimated: 1 })
await addSeries(kiroku, 52, 1000)

const act = async (who: typeof mio, page: string, path: string, values: Record<string, string>) => {
  const csrf = csrfIn((await who.open(page)).text)
  const answer = await who.post(path, { csrf, return_to: page, ...values })
  expect([path, answer.status, answer.location]).toEqual([path, 303, page])
  return await who.open(page)
}

describe('the address of a work', () => {
  test.each(['9', '999', '0', '-1', 'x', '1.5', '99999999999999999999'])(
    '/works/%s, which is hidden or of no work, is not found',
    async (id) => {
      // mio has a status of 9, and reads that (D42).
      for (const who of [visitor, azusa]) expect((await who.open(`/works/${id}`)).status).toBe(404)
    },
  )

  test.each(['/works/1', '/works/1-hoshi', '/works/1/hoshi-furu'])('%s shows it', async (path) => {
    const page = await mio.open(path)
    expect([page.status, /<h1[^>]*>([^<]*)</.exec(page.text)?.[1]]).toEqual([200, 'Garden of Falling Stars'])
    expect(page.text).toContain('<span lang="ja">星降る庭</span>')
  })

  test('of a merged one redirects to its survivor, keeping the rest of it (D67)', async () => {
    expect((await mio.open('/works/900?episodes=1-50')).location).toBe('/works/1?episodes=1-50')
    expect((await mio.open('/works/900-slug/episodes/2')).location).toBe('/works/1/episodes/2')
  })
})

test('what others wrote is shown by likes, then newest first', async () => {
  const ids = async () =>
    [...(await mio.open('/works/50')).text.matchAll(/id="record-(\d+)"/g)].map(([, id]) => Number(id))
  const episode = kiroku.store.handle
    .query<{ id: number }, []>('select min(id) as id from episodes where work_id = 50')
    .get()
  const write = (id: number, likes: number) =>
    kiroku.store.handle.run(
      "insert into records (id, user_id, work_id, episode_id, comment, likes_count, watched_at, created_at) values (?, 2, 50, ?, '庭', ?, ?, ?)",
      [id, episode?.id ?? 0, likes, id, id],
    )
  for (let id = 7001; id <= 7012; id++) write(id, id === 7001 ? 2 : 0)
  write(7013, 1)
  expect(await ids()).toEqual([7001, 7013, 7012, 7011, 7010, 7009, 7008, 7007, 7006, 7005])
  kiroku.store.handle.run('delete from records where id > 7000')
})

describe('what a reader has not seen', () => {
  test('is not revealed: names and faces are shown, texts are not in the page until requested', async () => {
    const { text } = await mio.open('/works/1')
    for (const hidden of ['夜の場面がすごい', '最後まで見てよかった']) expect(text).not.toContain(hidden)
    expect(text).toContain('2 comments are about things you have not watched')
    expect(text).toContain('Ritsu_T')
    const asked = (await mio.open('/works/1?spoilers=show')).text
    for (const shown of ['夜の場面がすごい', '最後まで見てよかった']) expect(asked).toContain(shown)
  })

  test('is shown at once to readers who turned the guard off', async () => {
    await deps.write((tx) =>
      tx.updateTable('users').set({ guards_spoilers: 0 }).where('id', '=', 4).execute(),
    )
    expect((await azusa.open('/works/1')).text).toContain('夜の場面がすごい')
  })

  test('is revealed by the record of its episode', async () => {
    const { text } = await act(mio, '/works/1', '/record', { episode_id: '2' })
    expect(text).toContain('夜の場面がすごい')
    expect(text).not.toContain('最後まで見てよかった')
  })

  test('by a muted user is never shown', async () => {
    expect((await mio.open('/works/1?spoilers=show')).text).not.toContain('聞きたくない話')
    expect((await azusa.open('/works/1')).text).not.toContain('聞きたくない話')
  })
})

test('visitors see no people, nothing they wrote, and no form but the search (D64)', async () => {
  const { text } = await visitor.open('/works/1?spoilers=show')
  for (const hidden of ['Ritsu_T', 'azusa', '夜の場面がすごい', 'data-act'])
    expect(text).not.toContain(hidden)
  expect(text).toContain('Sign in to record what you watch.')
})

test.each(['/works/1?spoilers=show', '/works/2'])('who signs in from %s comes back to it', async (path) => {
  expect((await visitor.open(path)).text).toContain(`/sign_in?return_to=${encodeURIComponent(path)}"`)
})

test('a private note is shown only to its author', async () => {
  const written = await act(azusa, '/works/1', '/notes', { work_id: '1', text: 'だれにも言わない' })
  expect(written.text).toContain('だれにも言わない')
  for (const who of [visitor, mio])
    expect((await who.open('/works/1?note=edit&spoilers=show')).text).not.toContain('だれにも言わない')
  expect((await azusa.open('/works/1?note=edit')).text).toMatch(/<textarea[^>]*>\nだれにも言わない</)
  expect((await visitor.open('/works/1?note=edit')).text).not.toContain('<textarea')
})

describe('the strip', () => {
  const numbersOf = (text: string) => cellsOf(text).map(([, number]) => number)

  test('shows fifty episodes, those around the next one unless others are requested', async () => {
    expect(numbersOf((await mio.open('/works/50')).text)).toEqual(
      Array.from({ length: 50 }, (_, at) => String(at + 1)),
    )
    for (const [asked, first, count] of [
      ['51-100', '51', 50],
      ['120', '101', 20],
      ['99999', '101', 20],
      ['0', '1', 50],
      ['x', '1', 50],
      ['1-2-3', '1', 50],
    ] as const) {
      const numbers = numbersOf((await mio.open(`/works/50?episodes=${asked}`)).text)
      expect([asked, numbers[0], numbers.length]).toEqual([asked, first, count])
    }
  })

  test('records up to a number, and continues on the page of the next one', async () => {
    const page = await act(mio, '/works/50', '/record/up_to', { episode_id: '500058' })
    expect(cellsOf(page.text).slice(0, 10)).toEqual([
      ...Array.from({ length: 8 }, (_, at) => ['seen', String(51 + at)] as [string, string]),
      ['next', '59'],
      ['aired', '60'],
    ])
    expect(page.text).toContain('Next: episode 59')
    expect(page.text).toContain('href="/works/50/episodes/51"')
  })

  test('says what a number would record', async () => {
    const { text } = await mio.open('/works/50')
    const choices = /data-episode="500062">[\s\S]*?<\/details>/.exec(text)?.[0] ?? ''
    expect(choices).toContain('<button name="episode_id" value="500062">Record 4 episodes: 59 to 62</button>')
    expect(choices).toContain('formaction="/record">Episode 62 only</button>')
    expect(text).toMatch(
      /<form method="post" action="\/record\/up_to" data-act="up_to" data-swap="#progress" data-queue>/,
    )
  })

  test('passes over skipped episodes', async () => {
    const { text } = await act(mio, '/works/50', '/skip', { episode_id: '500059' })
    expect(cellsOf(text).slice(8, 10)).toEqual([
      ['skipped', '59'],
      ['next', '60'],
    ])
  })

  test('begins again with a new lap, which has its own marks (D63)', async () => {
    const { text } = await act(mio, '/works/50', '/laps', { work_id: '50' })
    expect(text).toContain('<small>Rewatch 1</small>')
    expect(cellsOf(text)[0]).toEqual(['next', '1'])
    expect(cellsOf(text).filter(([kind]) => kind === 'seen')).toEqual([])
  })

  test('links to an episode without its own number by id', async () => {
    const { text } = await mio.open('/works/1')
    expect(text).toContain('href="/works/1/episodes/2"')
    expect(text).toContain('href="/works/1/episodes/id-4"')
  })
})

test('one more episode can be added to an estimated list, and to no others (D62)', async () => {
  const form = 'data-act="add_episode"'
  expect((await mio.open('/works/50')).text).not.toContain(form)
  expect((await mio.open('/works/3')).text).not.toContain(form)
  expect((await mio.open('/works/51')).text).toContain(form)
  const { text } = await act(mio, '/works/51', '/episodes', { work_id: '51' })
  expect(cellsOf(text).at(-1)).toEqual(['aired', '13'])
  expect((await mio.open('/works/4')).text).toContain('Add episode 1')
})

test('after the last episode it offers the status and another lap', async () => {
  const { text } = await act(azusa, '/works/50', '/record/up_to', { episode_id: '500120' })
  expect(text).toContain('You have watched all 120 episodes')
  expect(text).toContain('name="kind" value="watched" data-focus')
  expect(text).toContain('data-act="new_lap"')
})

test('users who watch it are shown with how far they are', async () => {
  const { text } = await mio.open('/works/50')
  const people = /<ul class="people">[\s\S]*?<\/ul>/.exec((await mio.open('/works/1')).text)?.[0] ?? ''
  expect(people.match(/@\w+/g)).toEqual(['@Ritsu_T'])
  expect(people).toContain('Episode 2 · Dropped')
  expect(text).not.toContain('@azusa')
})

test('a page with a thousand episodes is smaller than 50 KB', async () => {
  await act(mio, '/works/52', '/record/up_to', { episode_id: '520400' })
  const { text } = await mio.open('/works/52?episodes=901-950')
  expect(cellsOf(text)).toHaveLength(50)
  expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024)
})

test('a rating that is a word is shown as one, and numbers are offered as the reader prefers (D87)', async () => {
  await act(mio, '/works/50', '/record', { episode_id: '500001', rating_state: 'good' })
  const path = '/works/50/episodes/1'
  for (const [rating_display, mark, best] of [
    ['words', 'Good', '<span>Great</span>'],
    ['stars', 'Good', 'aria-label="4½ of 5"'],
    ['ten', 'Good', '<span>10</span>'],
    ['hundred', 'Good', '<span>100</span>'],
  ] as const) {
    await deps.write((tx) =>
      tx.updateTable('users').set({ rating_display }).where('username', '=', 'mio').execute(),
    )
    expect((await mio.open(path)).text).toMatch(new RegExp(`class="rated">.*</svg>${mark}<`))
    expect((await mio.open(`/record/new?episode=500002`)).text).toContain(best)
  }
})
