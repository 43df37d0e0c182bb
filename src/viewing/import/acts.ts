import { type RawValues, textOrBlank } from '../../http/request-values'
import { isTimeZone } from '../../lib/local-time'
import { maxEpisodes } from '../../library/next-episode'
import type { RowDecision } from '../../transfer/batch/lists'
import { conflictPolicies, type ImportOptions, scoreFormats } from '../../transfer/plan/planned-row'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { defineAction } from '../../web/form'
import type { PageRoute } from '../../web/page'
import { readOrNotFound } from '../../web/visit'
import { actOn, importer, importViewOf, nextRowPath } from './import-visit'

export const importActs: readonly PageRoute[] = [
  defineAction({
    path: '/settings/import/:id/options',
    access: importer,
    run: (visit, sent) => actOn(visit, (userId, id) => visit.lists.setOptions(userId, id, optionsIn(sent))),
  }),
  defineAction({
    path: '/settings/import/:id/apply',
    access: importer,
    run: (visit, sent) => {
      const how = { acceptsProbable: textOrBlank(sent, 'accept') === 'probable' }
      return actOn(visit, (userId, id) => visit.lists.apply(userId, id, how))
    },
  }),
  defineAction({
    path: '/settings/import/:id/undo',
    access: importer,
    run: (visit) => actOn(visit, (userId, id) => visit.lists.undo(userId, id)),
  }),
  defineAction({
    path: '/settings/import/:id/delete',
    access: importer,
    run: (visit) =>
      actOn(
        visit,
        (userId, id) => visit.lists.remove(userId, id),
        () => '/settings/import',
      ),
  }),
  defineAction({
    path: '/settings/import/:id/rows/:row',
    access: importer,
    run: (visit, sent) => {
      const row = readOrNotFound(positiveInteger, visit.params.row)
      return actOn(
        visit,
        (userId, id) => visit.lists.decide(userId, id, row, decisionIn(sent)),
        (id) => nextRowPath(visit, { id, row, asked: importViewOf((name) => textOrBlank(sent, name)) }),
      )
    },
  }),
]

/** Options that the form does not offer stay unchanged. */
function optionsIn(sent: RawValues): Partial<ImportOptions> {
  const text = (name: string) => textOrBlank(sent, name)
  const conflict = conflictPolicies.find((one) => one === text('conflict'))
  const scoreFormat = scoreFormats.find((one) => one === text('score_format'))
  const [timeZone, user] = [text('time_zone'), text('user')]
  return {
    ...(conflict && { conflict }),
    ...(scoreFormat && { scoreFormat }),
    ...(isTimeZone(timeZone) && { timeZone }),
    ...(user !== '' && { user }),
    ...(sent.has('asks_complete') && { completesWatched: text('complete_watched') !== '' }),
    ...(sent.has('asks_private') && { includesPrivate: text('include_private') !== '' }),
  }
}

function decisionIn(sent: RawValues): RowDecision {
  if (textOrBlank(sent, 'decision') === 'skip') return { decision: 'skip' }
  const continuesAt = readIfValid(positiveInteger, textOrBlank(sent, 'continues_at'))
  return {
    workId: readIfValid(positiveInteger, textOrBlank(sent, 'work_id')),
    ...(continuesAt !== undefined && { episodeOffset: Math.min(continuesAt, maxEpisodes) - 1 }),
  }
}
