import { join } from 'node:path'
import { openHandle } from '../src/db/open'
import { kiroku } from './instance'

const sizes = { small: { users: 20, records: 1000 }, large: { users: 20_000, records: 1_000_000 } } as const

/**
 * Two instances with the whole catalogue, as every instance has from its first day; a few people have written
 * in one, very many in the other. Returns their directories.
 */
export async function makeInstances(
  scratch: string,
  pack: string,
): Promise<{ small: string; large: string }> {
  const [small, large] = [join(scratch, 'lists-small'), join(scratch, 'lists-large')]
  const whole = join(scratch, 'pack.jsonl')
  await Bun.write(whole, unpacked(await Bun.file(pack).bytes(), pack))
  await fill(small, whole, sizes.small)
  await fill(large, whole, sizes.large)
  return { small, large }
}

/** Only the large one. Returns its directory. */
export async function makeLargeInstance(scratch: string, pack: string): Promise<string> {
  const [data, whole] = [join(scratch, 'large'), join(scratch, 'pack.jsonl')]
  await Bun.write(whole, unpacked(await Bun.file(pack).bytes(), pack))
  await fill(data, whole, sizes.large)
  return data
}

const unpacked = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
  name.endsWith('.gz') ? Bun.gunzipSync(bytes) : Bun.zstdDecompressSync(bytes)

async function fill(data: string, pack: string, { users, records }: { users: number; records: number }) {
  await kiroku(['catalogue', 'import', pack, '--data', data])
  const size = ['--users', String(users), '--records', String(records)]
  await kiroku(['demo', ...size, '--seed', '1', '--until', '2026-04-01', '--data', data])
  using handle = openHandle(data)
  handle.transaction(() => {
    for (const sql of extremes) handle.run(sql, [Math.floor(records / 50)])
  })()
}

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
