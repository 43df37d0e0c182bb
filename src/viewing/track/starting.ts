import type { Read } from '../../db/open'
import { weekOfBroadcasts } from './day-of-broadcasts'
import { firstBroadcasts, type TrackedWork } from './queries'

/** A planned work whose first episode airs within a week. */
export interface Start {
  readonly work: TrackedWork
  readonly at: number
}

interface Asked {
  readonly user: number
  readonly works: readonly TrackedWork[]
  readonly now: number
  readonly timeZone: string
}

export async function startingSoon(read: Read, { works, now, timeZone }: Asked): Promise<readonly Start[]> {
  const wanted = works.filter(({ kind }) => kind === 'wanna_watch')
  if (wanted.length === 0) return []
  const { from, until } = weekOfBroadcasts(now, timeZone)
  const rows = await firstBroadcasts(read, { works: JSON.stringify(wanted.map(({ id }) => id)) })
  const first = new Map(rows.map(({ work_id, started_at }) => [work_id, started_at]))
  return wanted
    .flatMap((work) => {
      const known = [first.get(work.id), work.broadcast_begin].filter((one) => typeof one === 'number')
      const at = Math.min(...known)
      return at >= from && at < until ? [{ work, at }] : []
    })
    .sort((one, other) => one.at - other.at)
}
