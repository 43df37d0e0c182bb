import type { CatalogueLine } from '../../source'
import { idsOf, keyOf, lineOf } from './line'
import type { Program, Work } from './shapes'

/** By time, without those of episodes that Annict does not show. */
export function* programLines(work: Work, episodes: ReadonlySet<number>): Generator<CatalogueLine> {
  const programs = work.programs?.nodes ?? []
  const listed = programs.filter(({ episode }) => episodes.has(episode.annictId))
  for (const program of listed.toSorted(byTime)) {
    const { channel, episode, startedAt, rebroadcast } = program
    yield* channelLines(channel)
    yield lineOf('program', program, {
      ids: idsOf(program),
      channel: keyOf(channel),
      work: keyOf(work),
      episode: keyOf(episode),
      started_at: startedAt,
      rebroadcast,
    })
  }
}

function* channelLines(channel: Program['channel']): Generator<CatalogueLine> {
  const { name, scChid, channelGroup: group } = channel
  yield lineOf('channel_group', group, { ids: idsOf(group), name: group.name, sort_number: group.sortNumber })
  yield lineOf('channel', channel, {
    ids: { ...idsOf(channel), ...(scChid !== null && scChid > 0 && { syobocal: scChid }) },
    name,
    group: keyOf(group),
  })
}

const byTime = (one: Program, other: Program) =>
  Date.parse(one.startedAt) - Date.parse(other.startedAt) || one.annictId - other.annictId
