import { afterAll, beforeEach, expect, test } from 'bun:test'
import { deleteRecord } from '../../../src/library/acts/own-record-acts'
import { recordUpToNumber } from '../../../src/library/acts/record-acts'
import { shareYear, unshareYear } from '../../../src/library/acts/share-acts'
import { undo } from '../../../src/library/acts/undo'
import { addNextEpisode } from '../../../src/library/acts/work-acts'
import { UndoRefused } from '../../../src/library/undo/undo-changes'
import { undoWritten } from '../../../src/library/undo/undo-written'
import { contentOf } from '../../support/acts'
import { rowsOf } from '../../support/counted'
import { createInstance } from '../../support/instance'
import { personOf } from '../../support/people'
import { seedLibrary } from '../../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const { handle } = kiroku.store
const mio = 1
const app = await personOf(kiroku, 'mio')
afterAll(() => kiroku.close())
beforeEach(() => {
  kiroku.clock.now += 1000
})

const figures = {
  ...{ from: 24_300, until: 24_311, isRunning: false, episodes: 1, films: 0, finished: 0, hours: 0, days: 0 },
  ...{
    dropped: 0,
    again: 0,
    months: [],
    best: [],
    first: null,
    last: null,
    streak: null,
    busiest: null,
    studio: null,
  },
}

/** A work whose list of episodes grows. */
const work = 10

const last = (table: string) => Number(rowsOf(handle, table).at(-1)?.id)

/** An application records an episode, with a comment. Returns the record and the activity about it. */
async function recordByApplication(episode: number) {
  kiroku.clock.now += 1000
  const { status } = await app.send('POST', '/v1/me/records', { episode_id: episode, comment: '夜の場面が' })
  expect(status).toBe(200)
  return { record: last('records'), activity: last('activities') }
}

const comments = () => rowsOf(handle, 'records').map(({ comment }) => comment)

test('an undo keeps the episode of a record that was deleted, and names the deletion as what is in the way', async () => {
  const before = contentOf(handle)
  const added = await addNextEpisode(deps, mio, { workId: work })
  const { record, activity } = await recordByApplication(last('episodes'))
  const deleted = await deleteRecord(deps, mio, { recordId: record })
  const refused = await undo(deps, mio, { actId: added.id }).catch((cause: unknown) => cause)
  expect(refused).toBeInstanceOf(UndoRefused)
  expect(refused).toMatchObject({ problem: 'used', blockedBy: { what: 'act', id: deleted.id } })
  await undo(deps, mio, { actId: deleted.id })
  expect(comments()).toContain('夜の場面が')
  await undoWritten(deps, mio, { activityId: activity })
  await undo(deps, mio, { actId: added.id })
  expect(contentOf(handle)).toEqual(before)
})

test('the undo of a deletion brings back the episodes that went with the record', async () => {
  const before = contentOf(handle)
  const grown = await recordUpToNumber(deps, mio, { workId: work, number: 9 })
  const { record, activity } = await recordByApplication(last('episodes'))
  const whole = rowsOf(handle, 'episodes')
  await undo(deps, mio, { actId: grown.id })
  const deleted = await deleteRecord(deps, mio, { recordId: record })
  expect(contentOf(handle).episodes).toEqual(before.episodes ?? [])
  await undo(deps, mio, { actId: deleted.id })
  expect(comments()).toContain('夜の場面が')
  expect(rowsOf(handle, 'episodes').map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
  await undoWritten(deps, mio, { activityId: activity })
  expect(contentOf(handle)).toEqual(before)
  expect(rowsOf(handle, 'changes')).toEqual([])
})

test('a year that was shared, ended, shared and ended again comes back from the last to the first (D91)', async () => {
  const before = contentOf(handle)
  const share = () => shareYear(deps, mio, { period: '2025', audience: 'members', figures, picture: null })
  const end = () => unshareYear(deps, mio, { period: '2025' })
  const acts: number[] = []
  for (const doing of [share, end, share, end]) acts.push((await doing()).id)
  const [made = 0, ended = 0, again = 0, endedAgain = 0] = acts
  for (const id of [endedAgain, again]) {
    expect(await undo(deps, mio, { actId: ended }).catch((why: unknown) => why)).toMatchObject({
      problem: 'changed',
      blockedBy: { what: 'act', id },
    })
    await undo(deps, mio, { actId: id })
  }
  for (const actId of [ended, made]) await undo(deps, mio, { actId })
  expect(contentOf(handle)).toEqual(before)
})
