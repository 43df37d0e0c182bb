import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const mio = await createMember(kiroku, 'mio')
afterAll(kiroku.close)

let work = 60

beforeEach(() => {
  work += 1
  handle.run('delete from statuses')
  handle.run("insert into works (id, title, media, source_id) values (?, '話数不明', 'tv', 1)", [work])
})

/** A list that no source gives, of which `watched` episodes are recorded; `counted` is a source's count. */
function list(length: number, watched: number, counted: number | null = null): void {
  handle.run(`update works set episodes_estimate = ? where id = ${work}`, [counted])
  for (let number = 1; number <= length; number += 1) {
    const id = work * 100 + number
    handle.run(
      `insert into episodes (id, work_id, number, sort_number, estimated, source_id) values (${id}, ${work}, ${number}, ${number * 10}, 1, 1)`,
    )
    if (number <= watched)
      handle.run(
        `insert into records (user_id, work_id, episode_id, watched_at, created_at) values (1, ${work}, ${id}, 1, 1)`,
      )
  }
}

const setStatus = (kind: string) =>
  handle.run(`insert into statuses (user_id, work_id, kind, changed_at) values (1, ${work}, ?, 1)`, [kind])

/** What the row of the work says. A bar would claim to know a share. */
async function progressAt(path: string): Promise<readonly [figure: string, hasBar: boolean]> {
  const { text } = await mio.open(path)
  const row = new RegExp(`data-work="${work}"[\\s\\S]*?</(?:li|tr)>`).exec(text)?.[0] ?? ''
  return [/class="figure">([^<]*)</.exec(row)?.[1] ?? '', row.includes('progress-bar')]
}

const lists = [
  ['one episode that is all that is known', 1, 0, null, '0', ''],
  ['one episode that was watched', 1, 1, null, '1', ''],
  ['what was watched', 5, 5, null, '5', ''],
  ['twelve at least', 12, 3, null, '3 / 12+', '3 / 12+'],
  ['twelve at least, none watched', 12, 0, null, '0 / 12+', ''],
  ['a count of a source', 12, 3, 12, '3 / 12', '3 / 12'],
] as const

test.each(lists)(
  'D99: of %s, the progress says no more than what is known',
  async (_, length, watched, counted, figure, strip) => {
    list(length, watched, counted)
    setStatus('watching')
    expect(await progressAt('/')).toEqual([figure, counted !== null])
    expect(await progressAt('/@mio/library/watching')).toEqual([figure, counted !== null])
    const head = /<section class="episodes">[\s\S]*?<\/h2>/.exec((await mio.open(`/works/${work}`)).text)?.[0]
    expect([...(head?.matchAll(/<small>([^<]*)</g) ?? [])].map(([, said]) => said).join()).toBe(strip)
  },
)

test.each([
  [1, null, ''],
  [12, null, '12+ episodes'],
  [12, 12, 'about 12 episodes'],
] as const)(
  'D99: an episode of a list of %p, with a count of %p, says “%s”',
  async (length, counted, said) => {
    list(length, 0, counted)
    const { text } = await mio.open(`/works/${work}/episodes/1`)
    const facts = /class="of-work"[\s\S]*?<small>([^<]*)</.exec(text)?.[1]
    expect(facts).toBe(['TV', said].filter(Boolean).join(' · '))
  },
)

test.each([
  [null, '1 episode recorded'],
  [4, '1 of 4 episodes recorded'],
] as const)('D99: a watched work with a count of %p says “%s”', async (counted, said) => {
  list(4, 1, counted)
  setStatus('watched')
  expect((await mio.open(`/works/${work}`)).text).toContain(`<h2>${said}</h2>`)
})
