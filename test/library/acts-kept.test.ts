import { afterAll, beforeEach, expect, test } from 'bun:test'
import { listActs } from '../../src/library/acts/find-acts'
import { editRecord } from '../../src/library/acts/own-record-acts'
import { recordEpisode } from '../../src/library/acts/record-acts'
import { writeNote } from '../../src/library/acts/work-acts'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'

const kiroku = await createInstance()
const { deps } = kiroku
const { handle } = kiroku.store
const mio = 1
afterAll(kiroku.close)

beforeEach(() => {
  for (const table of ['acts', 'statuses', 'records', 'activities', 'notes'])
    handle.run(`delete from ${table}`)
})

const record = (episodeId: number) => recordEpisode(deps, mio, { episodeId })
const first = 4

test('an old act goes with its changes, at most 500 at each new act', async () => {
  const { id } = await record(first)
  const changes = () => rowsOf(handle, 'changes').filter(({ act_id }) => act_id === id)
  handle.run(`insert into changes (user_id, act_id, work_id, table_name, row_id, last_id)
    with recursive n (n) as (select 1 union all select n + 1 from n where n < 1100)
    select ${mio}, ${id}, 1, 'skips', 1000 + n, 1000 + n from n`)
  const all = changes().length
  kiroku.clock.now += 30 * 86_400_000 + 1
  const isThere = () => rowsOf(handle, 'acts').some((act) => act.id === id)
  for (const left of [all - 500, all - 1000, 0]) {
    await writeNote(deps, mio, { workId: 1, text: String(left) })
    expect([changes().length, isThere()]).toEqual([left, left > 0])
  }
  kiroku.clock.now -= 30 * 86_400_000 + 1
})

test('acts are kept for 30 days, up to 10,000 per user', async () => {
  await record(first)
  kiroku.clock.now += 30 * 86_400_000 + 1
  await editRecord(deps, mio, { recordId: rowsOf(handle, 'records')[0]?.id, comment: 'x' })
  expect((await listActs(deps.read, mio, { limit: 10 })).map(({ kind }) => kind)).toEqual(['edit_record'])
  handle.run(`insert into acts (user_id, kind, work_id, created_at)
    with recursive n (n) as (select 1 union all select n + 1 from n where n < 10005)
    select ${mio}, 'note', 1, ${kiroku.clock.now} from n`)
  await writeNote(deps, mio, { workId: 1, text: 'x' })
  expect(rowsOf(handle, 'acts').filter(({ user_id }) => user_id === mio)).toHaveLength(10_000)
  kiroku.clock.now -= 30 * 86_400_000 + 1
})
