import Type from 'typebox'
import { defineCommand } from '../api/command'
import { idsParam } from '../api/param-kinds'
import { described, required } from '../api/params'
import { integer } from '../api/schema'
import { bytesOf } from '../http/bytes'
import { NothingChanged } from './acts/act'
import { recordPast } from './acts/past-act'
import { watchedOf, watchedParams } from './watched'

const { watched_at, watched_at_precision } = watchedParams('they were')

/** An extension: one act, of which nothing is told (D89). */
export const createPast = defineCommand({
  method: 'POST',
  path: '/v1/me/past',
  tag: 'Records',
  summary: 'Extension: records works that were watched long ago',
  description:
    'A record of each episode that has been broadcast and has none in the current lap, a viewing of a film that has none, and the ' +
    'status watched, or watching for a work that still airs. Adds no activities. At most 100 works and 3,000 episodes.',
  params: {
    work_ids: required(idsParam('The works')),
    watched_at: described(watched_at, 'Extension: when they were watched; unknown by default'),
    watched_at_precision: described(
      watched_at_precision,
      'Extension: the precision of watched_at; by default that of the value sent, or none',
    ),
  },
  answers: () =>
    Type.Object({
      works: integer('Works of which anything was recorded', 12),
      records: integer('Records that were added', 148),
      viewings: integer('Viewings that were added', 2),
    }),
  errors: ['not_found'],
  run: async ({ work_ids, watched_at, watched_at_precision }, { deps, viewer }) => {
    const precision = watched_at === undefined ? (watched_at_precision ?? 'none') : watched_at_precision
    const when = watchedOf(watched_at, precision, deps.now())
    const { works, records, viewings } = await recorded(deps, viewer.userId, { workIds: work_ids, when })
    return bytesOf(JSON.stringify({ works, records, viewings }))
  },
})

/** Nothing to record is no error. */
async function recorded(...asked: Parameters<typeof recordPast>) {
  try {
    return await recordPast(...asked)
  } catch (cause) {
    if (cause instanceof NothingChanged) return { works: 0, records: 0, viewings: 0 }
    throw cause
  }
}
