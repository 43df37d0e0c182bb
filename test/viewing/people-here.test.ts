import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { suggestionsOf } from '../../src/viewing/people/people-here'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance, start } from '../support/instance'
import { createMember, type Visitor } from '../support/visitor'
import { prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const [ritsu, azusa] = [2, 4]

describe('people here', () => {
  const shown = async () =>
    [...(await mio.open('/activity')).text.matchAll(/<li id="person-\d+">[\s\S]*?href="\/@([^"]*)"/g)].map(
      ([, name]) => name,
    )
  const status = (user: number, work: number) =>
    kiroku.store.handle.run(
      "insert into statuses (user_id, work_id, kind, changed_at) values (?, ?, 'watching', 1)",
      [user, work],
    )

  test('are those with most works in common, with a button that follows', async () => {
    for (const work of [1, 2]) status(1, work)
    status(azusa, 1)
    for (const work of [1, 2]) status(ritsu, work)
    expect(await shown()).toEqual(['Ritsu_T', 'azusa'])
    expect((await mio.open('/activity')).text).toContain('2 works in common')
    await mio.submit('/activity', {}, '/follow')
    expect(rowsOf(kiroku.store.handle, 'follows').map((row) => row.followed_id)).toEqual([ritsu])
    // The row stays, so that the press can be taken back there.
    expect(await shown()).toEqual(['Ritsu_T', 'azusa'])
    expect((await mio.open('/activity')).text).toContain('action="/unfollow"')
  })

  test('are chosen again the next day, and gone at once when they leave the list', async () => {
    expect(await shown()).toEqual(['azusa', 'Ritsu_T'])
    status(1, 1)
    status(ritsu, 1)
    expect(await shown()).toEqual(['azusa', 'Ritsu_T'])
    await prefer(kiroku, azusa, { listed: 0 })
    expect(await shown()).toEqual(['Ritsu_T'])
    await prefer(kiroku, azusa, { listed: 1 })
    await prefer(kiroku, ritsu, { privacy: 'private' })
    expect(await shown()).toEqual(['azusa'])
    await prefer(kiroku, ritsu, { privacy: 'members' })
    kiroku.clock.now += 86_400_000
    expect(await shown()).toEqual(['Ritsu_T', 'azusa'])
  })

  test('are kept for at most 2,000 readers, three of them for each', async () => {
    const kept = suggestionsOf(kiroku.deps.read)
    for (let reader = 100; reader < 3100; reader += 1) kept.set(reader, { at: start, ids: [1, 2, 3] })
    await shown()
    expect(kept.size).toBe(2000)
    expect(kept.get(1)?.ids.length).toBeLessThanOrEqual(3)
  })
})
