import { sql } from 'kysely'
import type { Write } from '../db/write'
import { notFound } from '../http/errors'
import { seriesKeys } from '../transfer/match/said-play'
import { waitingWith } from './inbox'

/** Nothing of the series is recorded any more, in whatever season; what waits is ignored. Throws not_found. */
export async function leaveOut({ write }: { write: Write }, userId: number, id: number): Promise<void> {
  await write(async (tx) => {
    const deliveries = await waitingWith(tx, userId, id)
    const [{ plays: [said] = [] } = { plays: [] }] = deliveries
    if (said === undefined) throw notFound('The series')
    for (const series_key of seriesKeys(said))
      await tx
        .insertInto('left_out_series')
        .values({ user_id: userId, series_key, title: said.titles[0] ?? '' })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const keys = JSON.stringify(deliveries.map((delivery) => delivery.id))
    await sql`update deliveries set result = 'ignored', reason = 'left_out', proposals = '[]'
      where id in (select value from json_each(${keys}))`.execute(tx)
  })
}
