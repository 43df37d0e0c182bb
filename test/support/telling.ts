import { beforeEach } from 'bun:test'
import { tellNewEpisodes } from '../../src/delivery/new-episodes'
import type { Deps } from '../../src/deps'
import { createCalendar, hour, now } from './calendar'

export const day = 24 * hour
export const user = 1

interface Told {
  readonly user_id: number
  readonly episode_id: number
  readonly began_at: number
  readonly created_at: number
  readonly read_at: number | null
}

/** mio, who watches work 500, told of new episodes until `now`; before each test as in the beginning. */
export async function createTelling() {
  const { kiroku, handle, made, reset } = await createCalendar()
  const { deps, clock } = kiroku
  beforeEach(async () => {
    reset()
    handle.run('delete from notifications')
    handle.run("delete from instance where name = 'episodes_told_until'")
    handle.run('delete from users where id >= 1000')
    clock.now = now
    await tellNewEpisodes(deps)
  })
  const told = () =>
    handle
      .query<Told, []>(
        "select user_id, episode_id, began_at, created_at, read_at from notifications where kind = 'episode' order by id",
      )
      .all()
  const episodes = () => told().map(({ episode_id }) => episode_id)

  /** Runs as the server does, some time later. */
  const later = (ms: number) => {
    clock.now += ms
    return tellNewEpisodes(deps)
  }

  const mark = () =>
    handle.query<{ value: string }, []>("select value from instance where name = 'episodes_told_until'").get()

  /** The process ends before another write. */
  function killedAfter(writes: number): Deps {
    let left = writes
    const write: Deps['write'] = (work) => {
      if (left-- === 0) throw new Error('killed')
      return deps.write(work)
    }
    return { ...deps, write }
  }

  /** Somebody who watches the work. */
  function person(id: number): number {
    handle.run(
      `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
       values (?1, 'u' || ?1, 'u' || ?1, '', ?1 || '@example.test', ?1 || '@example.test', '', 1)`,
      [id],
    )
    made.status(id, 500)
    return id
  }

  /** Every Thursday at 23:00 in Tokyo, from today on. */
  const slot = (columns: Readonly<Record<string, string | number>> = {}) => {
    const row = {
      ...{ user_id: user, work_id: 500, weekday: 4, minute: 23 * 60, time_zone: 'Asia/Tokyo' },
      ...{ begins_on: '2026-11-19', first_episode: 1, changed_at: 1, ...columns },
    }
    const names = Object.keys(row)
    handle.run(`insert into own_slots (${names}) values (${names.map(() => '?')})`, Object.values(row))
  }

  /** Programmes are as old as the clock of the test says. */
  const settle = (changed = 0) => handle.run('update programs set changed_at = ?', [changed])
  return { kiroku, handle, made, told, episodes, later, mark, killedAfter, person, slot, settle }
}
