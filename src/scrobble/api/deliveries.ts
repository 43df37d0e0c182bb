import Type from 'typebox'
import { defineCommand, withApiErrors } from '../../api/command'
import { envelope, nullable, pageOf, pagingFields, pagingParams, rangeOf } from '../../api/paging'
import { idParam, wordParam } from '../../api/param-kinds'
import { param, required } from '../../api/params'
import { dateTime, integer, text, word } from '../../api/schema'
import { invalidParams } from '../../http/errors'
import { isoTime } from '../../lib/time'
import { integerBetween } from '../../values/number'
import { placeSeries, waitingSeries } from '../inbox'
import {
  type KeptDelivery,
  listDeliveries,
  type NamedProposal,
  proposedWorks,
  sendAgain,
} from '../list-deliveries'
import { leaveOut } from '../taught'
import { undoDelivery } from '../undo-plays'

const proposalSchema = Type.Object({
  work_id: integer('Work id', 10079),
  title: text('Its title', '葬送のフリーレン'),
  year: nullable(integer('The year of its season', 2023)),
  episode: Type.Optional(integer('The episode that it would be', 3)),
})

const results = ['recorded', 'duplicate', 'rated', 'ignored', 'unmatched'] as const

const deliverySchema = Type.Object({
  id: integer('Delivery id', 12),
  received_at: dateTime('When it came'),
  player: nullable(text('The player; null for what came with a token', 'jellyfin')),
  said: Type.Object(
    {
      title: text('The title', 'SPY×FAMILY'),
      season: nullable(integer('The season', 2)),
      episode: nullable(integer('The first episode; null for a film', 3)),
    },
    { description: 'What the player said' },
  ),
  result: word(results, 'What was done'),
  reason: nullable(text('Why it was not recorded', 'numbering')),
  rule: nullable(text('What decided which work it is', 'season')),
  work_id: nullable(integer('The work', 10253)),
  episode: nullable(integer('The number of its episode', 3)),
  record_ids: Type.Array(Type.Integer(), { description: 'Ids of the records' }),
  proposals: Type.Array(proposalSchema, { description: 'Works that may be meant' }),
})

const shownProposals = (proposals: KeptDelivery['proposals'], works: ReadonlyMap<number, NamedProposal>) =>
  proposals.flatMap(({ work_id, episode }) => {
    const work = works.get(work_id)
    return work === undefined ? [] : [{ ...work, ...(episode !== undefined && { episode }) }]
  })

const shownDelivery = (delivery: KeptDelivery, works: ReadonlyMap<number, NamedProposal>) => ({
  ...{ id: delivery.id, received_at: isoTime(delivery.receivedAt), player: delivery.player },
  said: delivery.said,
  ...{ result: delivery.result, reason: delivery.reason, rule: delivery.rule },
  ...{ work_id: delivery.workId, episode: delivery.episode, record_ids: delivery.recordIds },
  proposals: shownProposals(delivery.proposals, works),
})

export const myDeliveries = defineCommand({
  method: 'GET',
  path: '/v1/me/deliveries',
  tag: 'Scrobbling',
  summary: 'Extension: what players reported in the last 30 days, newest first',
  params: pagingParams,
  answers: () => envelope('deliveries', deliverySchema),
  items: 'deliveries',
  run: async (query, { deps, viewer }) => {
    const page = pageOf(query)
    const { deliveries, total } = await listDeliveries(deps, viewer.userId, rangeOf(page))
    const works = await proposedWorks(deps.read, deliveries)
    return { deliveries: deliveries.map((one) => shownDelivery(one, works)), ...pagingFields(page, total) }
  },
})

const id = required(idParam('The delivery', 12))

export const undoOneDelivery = defineCommand({
  method: 'POST',
  path: '/v1/me/deliveries/:id/undo',
  tag: 'Scrobbling',
  summary: 'Extension: takes back what a delivery recorded',
  description:
    'What was recorded by a choice for its series is taken back together, and the choice forgotten.',
  params: { id },
  errors: ['not_found'],
  run: async ({ id: deliveryId }, { deps, viewer }) => {
    await undoDelivery(deps, viewer.userId, deliveryId)
    return null
  },
})

export const repeatDelivery = defineCommand({
  method: 'POST',
  path: '/v1/me/deliveries/:id/again',
  tag: 'Scrobbling',
  summary: 'Extension: decides a delivery again',
  description: 'One that recorded something stays as it is unless that was taken back.',
  params: { id },
  answers: () => deliverySchema,
  errors: ['not_found'],
  run: async ({ id: deliveryId }, { deps, viewer }) => {
    const delivery = await sendAgain(deps, viewer.userId, deliveryId)
    return shownDelivery(delivery, await proposedWorks(deps.read, [delivery]))
  },
})

const seriesSchema = Type.Object({
  id: integer('Id of the series in the inbox', 12),
  title: text('Its title', 'NARUTO -ナルト- 疾風伝'),
  season: nullable(integer('Its season', 2)),
  plays: integer('Number of plays that wait', 5),
  first_episode: integer('The lowest number', 1),
  last_episode: integer('The highest number', 5),
  reason: text('Why it is not sure', 'numbering'),
  proposals: Type.Array(proposalSchema, { description: 'Works that may be meant' }),
})

export const myInbox = defineCommand({
  method: 'GET',
  path: '/v1/me/inbox',
  tag: 'Scrobbling',
  summary: 'Extension: series whose plays wait to be placed, newest first',
  params: pagingParams,
  answers: () => envelope('series', seriesSchema),
  items: 'series',
  run: async (query, { deps, viewer }) => {
    const page = pageOf(query)
    const all = await waitingSeries(deps, viewer.userId)
    const { offset, limit } = rangeOf(page)
    const some = all.slice(offset, offset + limit)
    const works = await proposedWorks(deps.read, some)
    const series = some.map(({ firstEpisode, lastEpisode, proposals, ...one }) => ({
      ...{ id: one.id, title: one.title, season: one.season, plays: one.plays },
      ...{ first_episode: firstEpisode, last_episode: lastEpisode, reason: one.reason },
      proposals: shownProposals(proposals, works),
    }))
    return { series, ...pagingFields(page, all.length) }
  },
})

export const decideSeries = defineCommand({
  method: 'PATCH',
  path: '/v1/me/inbox/:id',
  tag: 'Scrobbling',
  summary: 'Extension: places a series and season that waits, or leaves the series out',
  description:
    'With work_id all that waits is recorded and all that comes is placed there, for players and imports alike: one act, ' +
    'which can be undone. With decision=skip nothing of the series is recorded any more.',
  params: {
    id: required(idParam('The series', 12)),
    work_id: idParam('The work', 1494),
    episode_offset: param(
      integerBetween(-2000, 2000),
      'Added to the player’s numbers: continues_at − 1; 0 by default',
      32,
    ),
    decision: wordParam(['skip'], 'Leaves the series out'),
  },
  answers: () =>
    Type.Object({
      recorded: integer('How many deliveries were placed', 5),
      act_id: nullable(integer('The act, to undo it', 7)),
    }),
  errors: ['not_found'],
  run: async ({ id: seriesId, work_id, episode_offset, decision }, { deps, viewer }) => {
    if (work_id !== undefined && decision !== undefined)
      throw invalidParams('work_id must be sent, or decision=skip instead.')
    if (decision !== undefined) await leaveOut(deps, viewer.userId, seriesId)
    if (work_id === undefined) return { recorded: 0, act_id: null }
    const choice = { workId: work_id, episodeOffset: episode_offset ?? 0 }
    const { actId, recorded } = await withApiErrors(() => placeSeries(deps, viewer.userId, seriesId, choice))
    return { recorded, act_id: actId }
  },
})
