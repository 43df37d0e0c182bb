import { join } from 'node:path'
import { openHandle } from '../src/db/open'
import { kiroku } from './instance'

const [users, records] = [20_000, 1_000_000]

/** The whole catalogue and a million records by 20,000 users. Returns the directory. */
export async function makeLargeInstance(scratch: string, pack: string): Promise<string> {
  const [data, whole] = [join(scratch, 'large'), join(scratch, 'pack.jsonl')]
  await Bun.write(whole, unpacked(await Bun.file(pack).bytes(), pack))
  await kiroku(['catalogue', 'import', whole, '--data', data])
  const size = ['--users', String(users), '--records', String(records)]
  await kiroku(['demo', ...size, '--seed', '1', '--until', '2026-04-01', '--data', data])
  using handle = openHandle(data)
  handle.transaction(() => {
    for (const sql of extremes) handle.run(sql, [Math.floor(records / 50)])
  })()
  return data
}

const unpacked = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
  name.endsWith('.gz') ? Bun.gunzipSync(bytes) : Bun.zstdDecompressSync(bytes)

/**
 * Extremes that a made-up community lacks: its first user has ?1 of everything, with statuses for a tenth as
 * many works, and everybody has recorded one particular episode.
 */
const extremes = [
  `insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
   select (select min(id) from users), work_id, id, iif(id % 3, '', 'よかった'), 0, 0 from episodes where hidden = 0 limit ?1`,
  `insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
   select users.id, e.work_id, e.id, iif(users.id % 3, '', 'よかった'), 0, 0
   from users, (select id, work_id from episodes where hidden = 0 order by records_count desc limit 1) as e limit ?1`,
  `insert into activities (user_id, work_id, action, record_id, created_at)
   select user_id, work_id, 'create_record', id, created_at from records order by id desc limit 2 * ?1`,
  `insert into statuses (user_id, work_id, kind, changed_at)
   select (select min(id) from users), id, iif(id % 9, 'watched', 'watching'), 0 from works where hidden = 0 limit ?1 / 10
   on conflict do nothing`,
  `insert into follows (follower_id, followed_id, created_at)
   select (select min(id) from users), id, 0 from users where id > (select min(id) from users) limit 1 + ?1 / 10
   on conflict do nothing`,
  `insert into follows (follower_id, followed_id, created_at)
   select id, (select min(id) from users), 0 from users where id > (select min(id) from users) limit ?1
   on conflict do nothing`,
  `insert into notifications (user_id, actor_id, follow_id, created_at)
   select followed_id, follower_id, id, 0 from follows where followed_id = (select min(id) from users) limit ?1
   on conflict do nothing`,
] as const
