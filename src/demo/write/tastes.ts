import type { Community } from '../community'
import type { Random } from '../random'
import { weighted, zipf } from '../weighted'
import { Columns } from './columns'
import { rowsInto } from './rows'

const kinds = ['characters', 'people', 'organizations'] as const

/** Writes favorites: the same few of each kind are everybody's. Returns how many. */
export function writeFavorites({ handle, world, members, firstUserId, random }: Community): number {
  const chance = random('favorites')
  const found = new Columns({ time: 'float', member: 'word', kind: 'byte', id: 'float' })
  for (const [kind, name] of kinds.entries()) {
    const draw = drawFrom(world[name])
    if (draw === undefined) continue
    for (const [member, { joined, left }] of members.entries()) {
      const chosen = several(draw, chance.chance(0.4) ? chance.exponential(4) : 0, chance)
      for (const id of chosen) found.add({ time: Math.floor(chance.between(joined, left)), member, kind, id })
    }
  }
  const rows = rowsInto(handle, 'favorites', [
    ...['user_id', 'character_id', 'person_id', 'organization_id', 'created_at'],
  ])
  for (const { time, member, kind, id } of found.rows(found.inOrderOf('time'))) {
    rows.add([firstUserId + member, ...kinds.map((_, place) => (place === kind ? id : null)), time])
  }
  rows.end()
  return found.length
}

/** Writes the channels that members chose; most chose none. Returns how many. */
export function writeChannels({ handle, world, members, firstUserId, random }: Community): number {
  const chance = random('channels')
  const draw = drawFrom(world.channels)
  const rows = rowsInto(handle, 'user_channels', ['user_id', 'channel_id'])
  let made = 0
  for (const member of members.keys()) {
    if (draw === undefined || !chance.chance(0.3)) continue
    const chosen = several(draw, 1 + chance.exponential(5), chance)
    for (const id of chosen) rows.add([firstUserId + member, id])
    made += chosen.size
  }
  rows.end()
  return made
}

/** Writes mutes: few members mute somebody. Returns how many. */
export function writeMutes({ handle, world, members, firstUserId, random }: Community): number {
  const chance = random('mutes')
  const rows = rowsInto(handle, 'mutes', ['user_id', 'muted_id', 'created_at'])
  let made = 0
  for (const [member, { joined }] of members.entries()) {
    if (!chance.chance(0.04)) continue
    const muted = several((from) => from.below(members.length), 1 + chance.exponential(1.5), chance)
    muted.delete(member)
    for (const other of muted) {
      const met = Math.max(joined, members[other]?.joined ?? 0)
      rows.add([firstUserId + member, firstUserId + other, Math.floor(chance.between(met, world.until))])
    }
    made += muted.size
  }
  rows.end()
  return made
}

function drawFrom(ids: readonly number[]): ((random: Random) => number) | undefined {
  const place = ids.length === 0 ? undefined : weighted(zipf(ids.length, 3))
  return place && ((random) => ids[place(random)] ?? 0)
}

/** About as many different ones. */
function several(draw: (random: Random) => number, count: number, random: Random): Set<number> {
  const found = new Set<number>()
  for (let left = count; left >= 1; left -= 1) found.add(draw(random))
  return found
}
