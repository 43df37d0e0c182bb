import Type from 'typebox'
import { defineCommand } from '../../api/command'
import { nullable } from '../../api/paging'
import { textParam } from '../../api/param-kinds'
import { param } from '../../api/params'
import { integer, text, word } from '../../api/schema'
import { invalidParams } from '../../http/errors'
import { NotText } from '../../http/request-values'
import { integerBetween } from '../../values/number'
import { deliver } from '../deliver'
import { tokenSource } from '../hooks'
import { readReport } from '../players/read-report'

const number = (description: string, example: number) => param(integerBetween(0, 9999), description, example)

const params = {
  title: textParam('The title, of the series if it has several seasons', 'SPY×FAMILY'),
  original_title: textParam('The title in its own language', 'SPY×FAMILY'),
  year: number('The year of the series or the film', 2022),
  season: number('The season', 2),
  episode: number('The episode; without one it is a film', 3),
  episode_end: number('The last one, if there are several in one file', 4),
  air_date: textParam('The day of the episode’s first broadcast', '2023-10-21'),
  progress: number('Percent that was watched', 95),
  watched_at: textParam('When it was watched, with its zone; now by default', '2026-04-01T21:00:00+09:00'),
  file: textParam('The name of a file; it is only ever a proposal', '[Group] SPY x FAMILY - 03.mkv'),
}

/** An extension: what a script or a browser reports with a token, as to an address of the player `generic`. */
export const scrobble = defineCommand({
  method: 'POST',
  path: '/v1/me/scrobble',
  tag: 'Scrobbling',
  summary: 'Extension: reports what was watched, by title, season and number or by ids',
  description:
    'As JSON, `ids` may be an object of `annict`, `mal`, `anilist`, `anidb`, `bangumi`, `tmdb` and `tvdb`. What is not ' +
    'sure is `unmatched`: it waits in the inbox.',
  params,
  answers: () =>
    Type.Object({
      result: word(['recorded', 'duplicate', 'ignored', 'unmatched'], 'What was done'),
      reason: nullable(text('Why it was not recorded', 'several_works')),
      work_id: nullable(integer('The work', 10253)),
      episode: nullable(integer('The number of its episode', 3)),
      delivery_id: nullable(integer('The delivery', 12)),
    }),
  run: async (values, { deps, viewer, sent }) => {
    const ids = sent.get('ids')
    if (ids !== undefined && ids !== '' && !(ids instanceof NotText && ids.object !== undefined))
      throw invalidParams('ids must be a JSON object.')
    const body = { ...values, ...(ids instanceof NotText && { ids: ids.object }) }
    const report = readReport('generic', body, '')
    const done = await deliver(deps, tokenSource(viewer.userId), { report, body: JSON.stringify(body) })
    const { result, reason, workId, episode, id } = done
    return { result, reason, work_id: workId, episode, delivery_id: id }
  },
})
