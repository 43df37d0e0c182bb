import { afterEach, beforeEach, expect, test } from 'bun:test'
import { recordColumns, recordEpisode } from '../../../src/library/acts/record-acts'
import { undo } from '../../../src/library/acts/undo'
import { chooseStatus, startLap } from '../../../src/library/acts/work-acts'
import { writeAct } from '../../../src/library/acts/write-act'
import { recordOne } from '../../../src/library/new-record'
import { contentOf } from '../../support/acts'
import { rowsOf } from '../../support/counted'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'

let kiroku: Instance
const [mio, ritsu] = [1, 2]
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
})
afterEach(() => kiroku.close())

const rows = (table: string) => rowsOf(kiroku.store.handle, table)
const undoes = (actId: number) => undo(kiroku.deps, mio, { actId })
const statusOf = (work: number) =>
  rows('statuses').find((row) => row.user_id === mio && row.work_id === work)?.kind

test('rows are one change only if their ids follow each other: what lies between them is somebody else’s', async () => {
  const before = rows('records').length
  const act = await writeAct(kiroku.deps, mio, 'record', async (open) => {
    const record = (user_id: number) =>
      recordOne(open.tx, { ...recordColumns(open, {}), user_id, work_id: 2, episode_id: 6 })
    const [first, other, last] = [await record(mio), await record(ritsu), await record(mio)]
    expect(last - first).toBe(2)
    await open.log.inserted('records', 2, first, last)
    return { workId: 2, episodeId: 6, count: other - first + 1 }
  })
  expect(rows('changes').map(({ row_id, last_id }) => Number(last_id) - Number(row_id))).toEqual([0, 0])
  await undoes(act.id)
  expect(rows('records')).toHaveLength(before + 1)
  expect(rows('records').at(-1)).toMatchObject({ user_id: ritsu })
})

test('the status that a record set stays while the lap that followed it stands, and goes with that (D63)', async () => {
  await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'no_select' }).catch(() => {})
  const start = contentOf(kiroku.store.handle)
  const record = await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  const lap = await startLap(kiroku.deps, mio, { workId: 2 })
  await undoes(record.id)
  expect(statusOf(2)).toBe('watching')
  await undoes(lap.id)
  expect(statusOf(2)).toBeUndefined()
  expect(contentOf(kiroku.store.handle)).toEqual(start)
})
