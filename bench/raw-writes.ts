import type { Database } from 'bun:sqlite'
import { openHandle } from '../src/db/open'
import type { NewRecord } from './write-scenarios'

/** `together`: records per transaction. */
export interface RawOrders {
  readonly data: string
  readonly userId: number
  readonly records: readonly NewRecord[]
  readonly together: number
  readonly seconds: number
}

export interface RawWrites {
  readonly writes: number
  readonly seconds: number
}

/**
 * Writes the rows of `POST /v1/me/records` with SQLite alone: prepared statements on a copy of kiroku's database with its
 * triggers and all but one of its pragmas. `RawOrders` on standard input, `RawWrites` on standard output.
 */
async function main(): Promise<void> {
  const { data, userId, records, together, seconds }: RawOrders = await Bun.stdin.json()
  const handle = openHandle(data)
  // SQLite's default, as if only WAL and synchronous=FULL had been set.
  handle.run('pragma wal_autocheckpoint = 1000')
  const write = writerOf(handle, userId)
  const started = performance.now()
  let writes = 0
  while (performance.now() - started < seconds * 1000) {
    handle.run('begin immediate')
    for (let member = 0; member < together; member++) write(records[writes++ % records.length])
    handle.run('commit')
  }
  const written: RawWrites = { writes, seconds: (performance.now() - started) / 1000 }
  handle.close()
  process.stdout.write(JSON.stringify(written))
}

function writerOf(handle: Database, userId: number): (record: NewRecord | undefined) => void {
  const find = handle.query<{ work_id: number }, [number]>(
    'select work_id from episodes where id = ? and hidden = 0',
  )
  const record = handle.query<{ id: number }, [number, number, number, string, string, number, number]>(`
    insert into records (user_id, work_id, episode_id, comment, rating_state, watched_at, created_at)
    values (?, ?, ?, ?, ?, ?, ?) returning id`)
  const activity = handle.query<unknown, [number, number, number, number]>(`
    insert into activities (user_id, work_id, action, record_id, created_at)
    values (?, ?, 'create_record', ?, ?)`)
  return (sent) => {
    if (sent === undefined) throw new Error('there is nothing to write')
    const { episode_id, comment, rating_state } = sent
    const [episode] = find.all(episode_id)
    if (episode === undefined) throw new Error(`there is no episode ${episode_id}`)
    const now = Date.now()
    const [made] = record.all(userId, episode.work_id, episode_id, comment, rating_state, now, now)
    activity.run(userId, episode.work_id, made?.id ?? 0, now)
  }
}

if (import.meta.main) await main()
