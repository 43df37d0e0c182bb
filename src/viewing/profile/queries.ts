import { sql } from 'kysely'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'

/** 1 or 0: whether `user` follows `other`, and whether they mute them. */
export const connectionOf = preparedSql<{ follows: number; mutes: number }, { user: number; other: number }>(
  (slot) => sql`
    select exists (select 1 from follows where follower_id = ${slot('user')} and followed_id = ${slot('other')}) as follows,
      exists (select 1 from mutes where user_id = ${slot('user')} and muted_id = ${slot('other')}) as mutes`,
)

/** Number of viewings of films. Uses reviews_user. */
export const filmCount = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom('reviews')
    .select(({ fn }) => fn.countAll<number>().as('films'))
    .where('user_id', '=', slot('user'))
    .where('watched_at', 'is not', null),
)

/** Visible characters, people and organizations, newest first. Uses favorites_user. */
export const favoritesOf = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom('favorites')
    .leftJoin('characters', 'characters.id', 'character_id')
    .leftJoin('people', 'people.id', 'person_id')
    .leftJoin('organizations', 'organizations.id', 'organization_id')
    .select(sql<string>`coalesce(characters.name, people.name, organizations.name)`.as('name'))
    .select(sql<string>`coalesce(characters.name_en, people.name_en, organizations.name_en)`.as('name_en'))
    .where('favorites.user_id', '=', slot('user'))
    .where(sql<boolean>`coalesce(characters.hidden, people.hidden, organizations.hidden) = 0`)
    .orderBy('favorites.id', 'desc')
    .limit(24),
)
