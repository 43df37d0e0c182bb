import type { YearFigures } from '../../src/library/counting/year'
import type { Instance } from '../support/instance'
import { fill } from '../support/seed'
import { ids } from './people'

const { owner, secretive } = ids

/** What `owner` shares as far as their profile goes, and in which texts it stands. */
export const sharedTexts = [
  ...['description', 'record', 'review', 'comment', 'list', 'list-text', 'list-note', 'year'],
  ...['meeting', 'meeting-place', 'answer'],
].map((name) => `LEAK-shared-${name}`)

/** What nobody but `owner` reads anywhere, and where they do. */
export const ownTexts = [
  ...['record', 'hidden-record', 'together-record', 'rest-record', 'review', 'hidden-review', 'comment'],
  ...['list', 'list-text', 'list-note', 'note', 'hook', 'delivery', 'token', 'feed', 'identity'],
  ...['passkey', 'session', 'sign-in', 'import', 'import-row', 'application', 'invitation', 'moderation'],
  ...['left-out', 'time', 'noted', 'table', 'shape', 'choice', 'report', 'uid', 'outgoing'],
].map((name) => `LEAK-own-${name}`)

/** What not even `owner` is shown. */
export const unshownTexts = ['secret', 'change', 'destination', 'mail'].map((name) => `LEAK-unshown-${name}`)

/** A moderator's copy of what was reported (people.md §8). */
export const reportTexts = ['LEAK-report-copy', 'LEAK-report-text']

/** Of the rows below, by what addresses name; private rows of other kinds have the number 7001. */
export const numbers = {
  records: [6001, 6002, 7001, 7002, 7003, 7004],
  reviews: [6101, 7101, 7102],
  comments: [6001, 7001],
  lists: [6201, 7201],
  meetings: [6301, 7301],
  own: 7001,
} as const

/** A figure of a shared year, as far as its page reads it. */
const year: YearFigures = {
  ...{
    from: 24_300,
    until: 24_311,
    isRunning: false,
    episodes: 8,
    films: 0,
    finished: 1,
    hours: 3,
    days: 2,
  },
  ...{
    dropped: 0,
    again: 0,
    months: [[24_300, 8, 0]],
    first: null,
    last: null,
    streak: null,
    busiest: null,
    studio: null,
  },
  best: [
    {
      ...{ id: 1, title: 'LEAK-shared-year', title_en: '', title_ro: '', media: 'tv' },
      ...{ season_year: null, season: null, score: 90, rating: 'great' },
    },
  ],
}

/** What `owner` wrote and others may see, each as far as the profile goes. */
export async function writeShared({ store, clock }: Instance): Promise<void> {
  const created_at = clock.now - 2000
  const at = { user_id: owner, created_at }
  const record = { ...at, work_id: 1, watched_at: created_at }
  store.handle.run('update users set description = ?, url = ? where id = ?', [
    'LEAK-shared-description',
    'https://leak-shared.example/',
    owner,
  ])
  await fill(store, {
    records: [
      { ...record, id: 6001, episode_id: 1, comment: 'LEAK-shared-record', rating_state: 'good' },
      { ...record, id: 6002, episode_id: 2 },
    ],
    reviews: [{ ...at, id: 6101, work_id: 2, body: 'LEAK-shared-review', rating_overall_state: 'good' }],
    statuses: [{ user_id: owner, work_id: 3, kind: 'watching', changed_at: created_at }],
    activities: [
      { ...at, id: 6001, work_id: 1, action: 'create_record', record_id: 6001 },
      { ...at, id: 6002, work_id: 1, action: 'create_multiple_records' },
      { ...at, id: 6003, work_id: 2, action: 'create_review', review_id: 6101 },
      { ...at, id: 6004, work_id: 3, action: 'create_status', status_kind: 'watching' },
    ],
    activity_records: [{ activity_id: 6002, record_id: 6002 }],
    lists: [
      {
        ...{ ...at, id: 6201, name: 'LEAK-shared-list', text: 'LEAK-shared-list-text' },
        ...{ visibility: 'public', updated_at: created_at },
      },
    ],
    list_works: [
      {
        ...{ id: 6201, list_id: 6201, user_id: owner, work_id: 1, place: 1, note: 'LEAK-shared-list-note' },
        added_at: created_at,
      },
    ],
    favorites: [
      { ...at, person_id: 1 },
      { ...at, work_id: 1, position: 1 },
    ],
    follows: [{ follower_id: owner, followed_id: 2, created_at }],
    comments: [
      { ...at, id: 6001, owner_id: owner, record_id: 6001, body: 'LEAK-shared-comment' },
      // Of somebody with a private profile: whoever sees the entry sees the comment (D77).
      { ...at, id: 6002, user_id: secretive, owner_id: owner, record_id: 6001, body: 'LEAK-shared-answer' },
    ],
    likes: [{ user_id: secretive, record_id: 6001, created_at }],
    shares: [{ ...at, period: '2025', audience: 'public', figures: JSON.stringify(year) }],
    meetings: [
      {
        ...{ ...at, id: 6301, work_id: 1, begins_at: clock.now + 86_400_000, is_open: 1 },
        ...{ location: 'LEAK-shared-meeting-place', body: 'LEAK-shared-meeting', changed_at: created_at },
      },
    ],
    meeting_episodes: [{ meeting_id: 6301, episode_id: 2 }],
    meeting_people: [{ meeting_id: 6301, user_id: owner, answer: 'in' }],
  })
}
