import type { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import type { Body } from './instance'

export type Row = Readonly<Record<string, Body>>
const count = (some: readonly Row[], is: (row: Row) => boolean) => some.filter(is).length

/** All rows of a table. */
export const rowsOf = (handle: Database, table: string) =>
  handle.query<Row, []>(`select * from ${table}`).all()

/** Every counter, recounted from the rows it counts (D40). */
function truths(handle: Database): Readonly<Record<string, Readonly<Record<string, (row: Row) => number>>>> {
  // What its writer or a moderator withholds counts nowhere (D74).
  const [records = [], reviews = [], statuses = []] = ['records', 'reviews', 'statuses'].map((table) =>
    rowsOf(handle, table).filter((row) => row.private === 0 && row.hidden_by === null),
  )
  const [likes, comments, follows, favorites] = [
    rowsOf(handle, 'likes'),
    rowsOf(handle, 'comments'),
    rowsOf(handle, 'follows'),
    rowsOf(handle, 'favorites'),
  ]
  const listWorks = rowsOf(handle, 'list_works')
  const shownWorks = new Set(rowsOf(handle, 'works').flatMap(({ id, hidden }) => (hidden === 0 ? [id] : [])))
  const having = (kind: string) => (user: Row) =>
    count(statuses, (row) => row.user_id === user.id && row.kind === kind)
  const watching = new Set(['wanna_watch', 'watching', 'watched'])
  return {
    users: {
      records_count: ({ id }) => count(records, ({ user_id }) => user_id === id),
      followings_count: ({ id }) => count(follows, ({ follower_id }) => follower_id === id),
      followers_count: ({ id }) => count(follows, ({ followed_id }) => followed_id === id),
      wanna_watch_count: having('wanna_watch'),
      watching_count: having('watching'),
      watched_count: having('watched'),
      on_hold_count: having('on_hold'),
      stop_watching_count: having('stop_watching'),
    },
    works: {
      watchers_count: ({ id }) => count(statuses, (row) => row.work_id === id && watching.has(row.kind)),
      reviews_count: ({ id }) => count(reviews, ({ work_id, body }) => work_id === id && body !== ''),
    },
    episodes: {
      records_count: ({ id }) => count(records, ({ episode_id }) => episode_id === id),
      record_comments_count: ({ id }) => count(records, (row) => row.episode_id === id && row.comment !== ''),
    },
    records: {
      likes_count: ({ id }) => count(likes, ({ record_id }) => record_id === id),
      comments_count: ({ id }) => count(comments, ({ record_id }) => record_id === id),
    },
    reviews: {
      likes_count: ({ id }) => count(likes, ({ review_id }) => review_id === id),
      comments_count: ({ id }) => count(comments, ({ review_id }) => review_id === id),
    },
    characters: {
      favorite_characters_count: ({ id }) => count(favorites, ({ character_id }) => character_id === id),
    },
    lists: {
      items_count: ({ id }) => count(listWorks, (row) => row.list_id === id && shownWorks.has(row.work_id)),
    },
    people: { favorite_people_count: ({ id }) => count(favorites, ({ person_id }) => person_id === id) },
    organizations: {
      favorite_organizations_count: ({ id }) =>
        count(favorites, ({ organization_id }) => organization_id === id),
    },
  }
}

/** Fails if a counter differs from the number of its rows. */
export function checkCounters(handle: Database): void {
  for (const [table, columns] of Object.entries(truths(handle))) {
    for (const row of rowsOf(handle, table)) {
      for (const [column, truth] of Object.entries(columns)) {
        expect([table, row.id, column, row[column]]).toEqual([table, row.id, column, truth(row)])
      }
    }
  }
}
