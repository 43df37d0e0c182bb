import { noFacts } from '../../src/transfer/batch/file-facts'
import { noCounts } from '../../src/transfer/batch/rows/counts'
import type { Match } from '../../src/transfer/match/match'
import { start } from './instance'
import type { Rows } from './seed'

const hour = 3_600_000
const at = (hours: number) => start + hours * hour

const proposed: Match = {
  row: { sourceId: '1', title: '星降る庭', refs: [], status: 'wanna_watch' },
  ...{ workId: 1, matchedBy: 'title', reason: 'title_without_year', proposals: [1], growsTo: null },
}

const play = { episode: 1, watchedAt: 0, precision: 'time', lap: 1, ratingState: null, comment: '' }

/** A preview of mio's. */
export const imports: Rows = {
  list_imports: [
    {
      ...{ id: 1, user_id: 1, source: 'csv', file_name: 'list.csv', state: 'preview' },
      ...{ time_zone: 'Asia/Tokyo', counts: JSON.stringify({ ...noCounts, check: 1 }) },
      facts: JSON.stringify({ ...noFacts, rows: 1, hasPrivate: true }),
      ...{ created_at: at(-2), changed_at: at(-2) },
    },
  ],
  list_import_rows: [
    {
      ...{ id: 1, import_id: 1, number: 1, source_id: '1', title: '星降る庭', work_id: 1 },
      ...{ state: 'check', reason: 'title_without_year', match: JSON.stringify(proposed) },
      shown: JSON.stringify({ proposals: [1], records: [play] }),
    },
  ],
}

/** What the documentation's examples name. */
export const examples: Rows = {
  works: [
    { id: 10079, title: '葬送のフリーレン', media: 'tv' },
    { id: 4567, title: '劇場版', media: 'movie', no_episodes: 1 },
    { id: 4568, title: '放送中', media: 'tv' },
  ],
  episodes: [{ id: 2001, work_id: 10079, number: '1', number_text: '第1話', sort_number: 10 }],
  characters: [{ id: 61, name: 'フリーレン' }],
  people: [{ id: 71, name: '例' }],
  organizations: [{ id: 81, name: '例' }],
  channels: [{ id: 19, name: '日本テレビ' }],
  users: [
    {
      id: 7,
      username: 'ritsu',
      username_key: 'ritsu',
      name: 'りつ',
      email: 'r@example.com',
      email_key: 'r@example.com',
      password_hash: 'none',
      created_at: at(-500),
    },
  ],
  records: [
    { id: 501, user_id: 7, work_id: 10079, episode_id: 2001, watched_at: at(401), created_at: at(401) },
  ],
  comments: [{ id: 901, user_id: 1, owner_id: 7, record_id: 501, body: '次は映画館で', created_at: at(-1) }],
  list_works: [{ id: 11, list_id: 3, user_id: 1, work_id: 10079, place: 2, added_at: at(-1) }],
  reviews: [
    { id: 31, user_id: 7, work_id: 10079, body: '本文', created_at: at(-50) },
    {
      ...{ id: 32, user_id: 7, work_id: 4567, created_at: at(-50) },
      ...{ watched_at: at(-50), watched_at_precision: 'day' },
    },
  ],
}
