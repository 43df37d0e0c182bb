import type { Community } from './community'
import type { Member } from './members'
import type { Rows } from './rows'

export function* tasteRows(community: Community): Rows {
  const { memberStates, world, random, until } = community
  const since = (...times: number[]) => Math.floor(random.between(Math.max(...times), until))
  const favorites = Object.entries(favoriteKinds).flatMap(([column, name]) =>
    picks(community, world[name], { share: 0.4, mean: 4 }).map(({ member, picked }) => ({
      user_id: member.id,
      character_id: null,
      person_id: null,
      organization_id: null,
      [column]: picked,
      created_at: since(member.joinedAt),
    })),
  )
  for (const values of favorites.toSorted((one, other) => one.created_at - other.created_at))
    yield { table: 'favorites', values }
  for (const { member, picked } of picks(community, world.channels, { share: 0.3, mean: 5 }))
    yield { table: 'user_channels', values: { user_id: member.id, channel_id: picked } }
  const members = memberStates.map(({ member }) => member)
  for (const { member, picked } of picks(community, members, { share: 0.05, mean: 1 })) {
    const values = {
      user_id: member.id,
      muted_id: picked.id,
      created_at: since(member.joinedAt, picked.joinedAt),
    }
    if (picked !== member) yield { table: 'mutes', values }
  }
}

function picks<T>(
  { memberStates, random }: Community,
  list: readonly T[],
  { share, mean }: { share: number; mean: number },
): { member: Member; picked: T }[] {
  return memberStates.flatMap(({ member }) => {
    const count = random.chance(share) ? 1 + Math.floor(random.exponential(mean)) : 0
    const places = new Set(Array.from({ length: count }, () => random.early(list.length)))
    return [...places].flatMap((place) => list.slice(place, place + 1)).map((picked) => ({ member, picked }))
  })
}

const favoriteKinds = {
  ...({ character_id: 'characters', person_id: 'people', organization_id: 'organizations' } as const),
}
