import type { Database } from 'bun:sqlite'

const day = 86_400_000
export const week = 7 * day

/** Puts works, episodes, channels and programmes into the database, without anything that an import would add. */
export function createProgrammes(handle: Database) {
  const run = (sql: string, ...values: (string | number | null)[]) => handle.run(sql, values)
  return {
    work: (id: number, columns: Readonly<Record<string, string | number | null>> = {}) => {
      const row = { id, title: `作品${id}`, media: 'tv', source_id: 1, ...columns }
      const names = Object.keys(row)
      run(`insert into works (${names}) values (${names.map(() => '?')})`, ...Object.values(row))
    },
    /** Episode n of work w has the id 1000 w + n. */
    episodes: (work: number, count: number, estimated: 0 | 1 = 0, from = 1) => {
      for (let n = from; n < from + count; n++)
        run(
          `insert into episodes (id, work_id, number, number_text, sort_number, title, estimated, source_id)
           values (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[work * 1000 + n, work, String(n), `第${n}話`, n * 10, `話${n}`, estimated, estimated + 1],
        )
    },
    channel: (id: number, name: string) =>
      run('insert into channels (id, name, source_id) values (?, ?, 1)', id, name),
    program: (
      work: number,
      n: number | null,
      at: number,
      { channel = 101, estimated = 0, again = 0, id = null as number | null } = {},
    ) =>
      run(
        `insert into programs (id, channel_id, work_id, episode_id, started_at, is_rebroadcast, estimated, source_id)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[id, channel, work, n === null ? null : work * 1000 + n, at, again, estimated, estimated + 1],
      ),
    status: (user: number, work: number, kind = 'watching') =>
      run(
        `insert into statuses (user_id, work_id, kind, changed_at) values (?, ?, ?, 1)
         on conflict do update set kind = excluded.kind`,
        ...[user, work, kind],
      ),
    record: (user: number, work: number, n: number, at: number, precision = 'time') =>
      run(
        `insert into records (user_id, work_id, episode_id, watched_at, watched_at_precision, created_at)
         values (?, ?, ?, ?, ?, ?)`,
        ...[user, work, work * 1000 + n, at, precision, at],
      ),
    choose: (user: number, channel: number) =>
      run('insert into user_channels (user_id, channel_id) values (?, ?)', user, channel),
  }
}
