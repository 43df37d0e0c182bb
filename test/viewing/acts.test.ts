import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { createMember, createVisitor, type Page } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const member = await createMember(kiroku, 'mio')
const other = await createMember(kiroku, 'azusa')
afterAll(kiroku.close)

beforeEach(() => {
  const tables = ['acts', 'statuses', 'records', 'reviews', 'activities', 'laps', 'skips', 'notes']
  for (const table of tables) handle.run(`delete from ${table}`)
})

const csrf = async (visitor = member) =>
  /name="csrf" value="([^"]+)"/.exec((await visitor.open('/settings')).text)?.[1] ?? ''

const act = async (path: string, values: Record<string, string>, visitor = member): Promise<Page> =>
  visitor.post(path, { csrf: await csrf(visitor), return_to: '/about', ...values })

const paths = [
  '/record',
  '/record/up_to',
  '/skip',
  '/status',
  '/viewing',
  '/rating',
  '/record/aired',
  '/episodes',
  '/laps',
  '/notes',
  '/undo',
]

test.each(paths)('%s leads visitors to sign-in, and refuses forms without a token', async (path) => {
  const visitor = createVisitor(kiroku)
  for (const before of ['/about', '/sign_in']) {
    await visitor.open(before)
    const { status, location } = await visitor.post(path, { episode_id: '1' })
    expect([status, location]).toEqual([307, expect.stringMatching(/^\/sign_in\/kept\?/)])
  }
  expect((await member.post(path, { episode_id: '1' })).status).toBe(403)
  expect(
    (await member.post(path, { csrf: await csrf(), episode_id: '1' }, { origin: 'https://evil.example' }))
      .status,
  ).toBe(403)
  expect(rowsOf(handle, 'acts')).toEqual([])
})

test.each([
  ['/record', {}, 'episode_id'],
  ['/record', { episode_id: '1; drop table users' }, 'episode_id'],
  ['/status', { work_id: '1', kind: 'loved' }, 'kind'],
  ['/status', { work_id: '', kind: 'watching' }, 'work_id'],
  ['/viewing', { work_id: '3', rating_state: 'superb' }, 'rating_state'],
  ['/viewing', { work_id: '3', watched_at: '2019-13' }, 'watched_at'],
  ['/notes', { work_id: '1', text: 'あ'.repeat(10_001) }, 'text'],
  ['/undo', { act_id: '-1' }, 'act_id'],
])('%s refuses %o, names the field and keeps nothing', async (path, values, field) => {
  const page = await act(path, values as Record<string, string>)
  expect([page.status >= 400 && page.status < 500, page.location]).toEqual([true, ''])
  if (path !== '/record') expect(page.text).toContain(field)
  expect(rowsOf(handle, 'acts')).toEqual([])
})

test('the response redirects only within this instance', async () => {
  for (const return_to of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
  ])
    expect((await act('/status', { work_id: '1', kind: 'watching', return_to })).location).toBe('/')
})

describe('what was done is reported once by the next page, with an undo', () => {
  const told = async (visitor = member) =>
    /id="toast"[^>]*>([\s\S]*?)<footer/.exec((await visitor.open('/about')).text)?.[1] ?? ''

  test('for a record', async () => {
    const answer = await act('/record', { episode_id: '1' })
    expect([answer.status, answer.location]).toEqual([303, '/about'])
    const toast = await told()
    expect(toast).toContain('Recorded episode 1')
    expect(toast).toContain('data-act="undo"')
    expect(await told()).not.toContain('Recorded')
    const [, id = ''] = /name="act_id" value="([0-9]+)"/.exec(toast) ?? []
    expect((await act('/undo', { act_id: id }, other)).status).toBe(404)
    await act('/undo', { act_id: id })
    expect([await told(), rowsOf(handle, 'records'), rowsOf(handle, 'statuses')]).toEqual([
      expect.stringContaining('<s>Recorded episode 1 of Garden of Falling Stars</s> Undone'),
      [],
      [],
    ])
  })

  test('for a record up to an episode, a status, a skip, a viewing, an episode, a lap and a note', async () => {
    const said: string[] = []
    const texts = [
      ['/record/up_to', { episode_id: '3' }, 'Recorded 3 episodes, up to episode 2.5'],
      ['/status', { work_id: '1', kind: 'on_hold' }, 'Garden of Falling Stars: On hold'],
      ['/status', { work_id: '1', kind: 'no_select' }, 'Removed the status of Garden of Falling Stars'],
      ['/skip', { episode_id: '1' }, 'Skipped episode 1'],
      ['/viewing', { work_id: '3', rating_state: 'great' }, 'Recorded 海のＡＢＣ'],
      ['/episodes', { work_id: '4' }, 'Added episode 1'],
      ['/laps', { work_id: '1' }, 'Watching Garden of Falling Stars again'],
      ['/notes', { work_id: '1', text: '雨の日に' }, 'Saved your note on Garden of Falling Stars'],
    ] as const
    for (const [path, values] of texts) {
      expect([path, (await act(path, values)).status]).toEqual([path, 303])
      said.push(await told())
    }
    expect(said).toEqual(texts.map(([, , text]) => expect.stringContaining(text)))
    expect(rowsOf(handle, 'acts')).toHaveLength(texts.length)
  })

  test('without the number of an episode that no longer exists', async () => {
    await act('/episodes', { work_id: '8' })
    const [{ id, episode_id }] = rowsOf(handle, 'acts') as [{ id: number; episode_id: number }]
    await act('/record', { episode_id: String(episode_id) })
    const record = rowsOf(handle, 'acts').at(-1)?.id
    for (const undone of [record, id]) await act('/undo', { act_id: String(undone) })
    expect(await told()).toContain('<s>Added an episode of axb</s> Undone<')
    const history = async (language: string) => {
      const { text } = await member.open('/settings/history', { headers: { 'accept-language': language } })
      return [...text.matchAll(/<s>([^<]*)/g)].map(([, said]) => said)
    }
    expect((await history('en')).join()).toMatch(/^Recorded an episode of .*,Added an episode of ./)
    expect((await history('ja')).join()).toMatch(/』1話を記録しました,『.*』1話を追加しました$/)
  })

  test('the last episode of a list that is not estimated offers to set the work to watched, next to Undo', async () => {
    await act('/record/up_to', { episode_id: '1' })
    const toast = await told()
    const [inside = ''] = /<div class="toast">[\s\S]*?<\/div>/.exec(toast) ?? []
    expect(inside).toMatch(
      /data-act="status"[\s\S]*value="watched"[\s\S]*Set to Watched[\s\S]*data-act="undo"/,
    )
    await act('/status', { work_id: '1', kind: 'watched' })
    await act('/record', { episode_id: '1' })
    expect(await told()).not.toContain('Set to Watched')
  })

  test('but never what somebody else did', async () => {
    await act('/record', { episode_id: '1' })
    const mine = [...member.cookies].find(([name]) => name.startsWith('flash'))
    other.cookies.set(...(mine as [string, string]))
    expect(await told(other)).not.toContain('Recorded')
  })
})

describe('when it was watched (D60, D61)', () => {
  const watched = () =>
    rowsOf(handle, 'reviews').map(({ watched_at, watched_at_precision }) => [
      new Date(Number(watched_at)).toISOString().slice(0, 10),
      watched_at_precision,
    ])

  test.each([
    [{ watched_at: '2019' }, ['2019-01-01', 'year']],
    [{ watched_at: '2019', precision: 'time' }, ['2019-01-01', 'year']],
    [{ watched_at: '2019-03-05', precision: 'date' }, ['2019-03-05', 'day']],
    [{ watched_at: '2019-03-05', precision: 'month' }, ['2019-03-01', 'month']],
    [{ watched_at: '2019/3', precision: 'date' }, ['2019-03-01', 'month']],
    [{ watched_at: ' ２０１９年３月５日', precision: 'date' }, ['2019-03-05', 'day']],
    [{ watched_at: 'nonsense', precision: 'none' }, [expect.any(String), 'none']],
  ])('%o', async (values, expected) => {
    expect((await act('/viewing', { work_id: '3', ...values })).status).toBe(303)
    expect(watched()).toEqual([expected as string[]])
  })

  test.each(['nonsense', '2019-13', '2019/2/30'])(
    'of %s, which is no date, only dates are spoken',
    async (text) => {
      const answer = await act('/viewing', { work_id: '3', watched_at: text, precision: 'date' })
      expect([answer.status, answer.text.includes('must be a date such as')]).toEqual([422, true])
    },
  )

  test('a missing chosen date is asked for, and so is an unknown broadcast', async () => {
    expect((await act('/viewing', { work_id: '3', precision: 'date' })).status).toBe(422)
    expect((await act('/record', { episode_id: '3', precision: 'aired' })).status).toBe(422)
    expect([rowsOf(handle, 'reviews'), rowsOf(handle, 'records')]).toEqual([[], []])
  })
})

describe('the sheet', () => {
  test('is for members, and for shown episodes', async () => {
    expect((await createVisitor(kiroku).open('/record/new?episode=1')).location).toContain('/sign_in')
    for (const episode of ['', '5', '7', '99', 'x'])
      expect((await member.open(`/record/new?episode=${episode}`)).status).toBe(404)
  })

  test('is shown again with what was typed when something is wrong', async () => {
    const typed = {
      episode_id: '1',
      comment: '<b>泣いた',
      rating_state: 'great',
      watched_at: '2031',
      precision: 'date',
    }
    const page = await act('/record', typed)
    expect(page.status).toBe(422)
    expect(page.text).toContain('&#60;b&#62;泣いた</textarea>')
    expect(page.text).toContain('value="2031"')
    expect(page.text).toMatch(/value="great" data-keys="1" checked/)
    expect(page.text).toContain('name="return_to" value="/about"')
    expect(rowsOf(handle, 'records')).toEqual([])
  })

  test('records with rating, comment and date', async () => {
    const sheet = await member.open('/record/new?episode=1&return_to=/about')
    expect(sheet.text).toContain('data-act="record"')
    await act('/record', {
      episode_id: '1',
      comment: 'よかった',
      rating_state: 'good',
      watched_at: '2020-05',
      precision: 'date',
    })
    expect(rowsOf(handle, 'records')).toMatchObject([
      { comment: 'よかった', rating_state: 'good', watched_at_precision: 'month' },
    ])
  })

  test('offers "up to here" if earlier episodes are open, and says how many', async () => {
    expect((await member.open('/record/new?episode=4')).text).not.toContain('/record/up_to')
    expect((await member.open('/record/new?episode=1')).text).toContain('Record 4 episodes up to here')
    await act('/skip', { episode_id: '4' })
    expect((await member.open('/record/new?episode=1')).text).toContain('Record 3 episodes up to here')
  })
})

test('the button for the next episode records it once, whatever another tab shows', async () => {
  await act('/record', { episode_id: '1', once: '1' })
  await act('/record', { episode_id: '1', once: '1' })
  expect((await member.open('/about')).text).toContain('This episode is already recorded')
  expect(rowsOf(handle, 'records')).toHaveLength(1)
  await act('/record', { episode_id: '1' })
  expect(rowsOf(handle, 'records')).toHaveLength(2)
})

test('what was done is reported with the title in the reader\u2019s title language', async () => {
  await act('/status', { work_id: '1', kind: 'watching' })
  expect((await member.open('/about')).text).toContain('Garden of Falling Stars: Watching')
})
