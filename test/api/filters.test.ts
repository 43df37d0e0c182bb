import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { endpoints } from '../../src/app'
import { type Body, createInstance, itemsOf, targetOf } from '../support/instance'
import { seedImports } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedImports })
kiroku.store.handle.run('update programs set started_at = started_at - 864000000 where id = 3')
afterAll(kiroku.close)

type Finds = Readonly<Record<string, readonly number[]>>

const ofNames: Finds = {
  'filter_name=青井': [1],
  'filter_name=ハル': [2],
  'filter_query=青井': [1],
  'filter_query=ハル': [2],
}
const ofWork = (works: Finds): Finds => ({
  ...works,
  'sort_sort_number=asc': [2, 3, 1],
  'sort_sort_number=desc': [1, 2, 3],
})

/** What each filter finds in the seed data, for at least two of its values, and each sort's orders. */
const finds: Readonly<Record<string, Finds>> = {
  '/v1/works': {
    'filter_season=2021-spring': [1],
    'filter_season=2021-all': [1, 2, 3, 8],
    'filter_title=庭': [1],
    'filter_title=Train': [2],
    'filter_query=庭': [1],
    'filter_query=2021': [1, 2, 8, 3],
    'sort_season=asc': [5, 6, 2, 1, 8, 3, 7, 4, 10],
    'sort_season=desc': [7, 3, 8, 1, 2, 5, 6, 4, 10],
    'sort_watchers_count=asc': [3, 6, 7, 8, 10, 1, 2, 4, 5],
    'sort_watchers_count=desc': [1, 2, 4, 5, 3, 6, 7, 8, 10],
  },
  '/v1/episodes': {
    'filter_work_id=1': [1, 2, 3, 4],
    'filter_work_id=2': [6],
    'sort_sort_number=asc': [6, 4, 2, 3, 1],
    'sort_sort_number=desc': [1, 2, 3, 4, 6],
  },
  '/v1/series': {
    'filter_name=furu': [1],
    'filter_name=青井': [2],
    'filter_query=furu': [1],
    'filter_query=青井': [2],
  },
  '/v1/characters': ofNames,
  '/v1/people': ofNames,
  '/v1/organizations': ofNames,
  '/v1/staffs': ofWork({ 'filter_work_id=1': [1, 2], 'filter_work_id=2': [3] }),
  '/v1/casts': ofWork({ 'filter_work_id=1': [1, 2], 'filter_work_id=2': [3] }),
  '/v1/users': {
    'filter_usernames=mio,azusa': [1, 4],
    'filter_usernames=yui': [3],
    'filter_query=mio': [1],
    'filter_query=yui': [3],
  },
  '/v1/followers': {
    'filter_user_id=1': [2],
    'filter_user_id=2': [1],
    'filter_username=mio': [2],
    'filter_username=ritsu_t': [1],
  },
  '/v1/following': {
    'filter_user_id=1': [2, 4],
    'filter_user_id=2': [1],
    'filter_username=mio': [2, 4],
    'filter_username=ritsu_t': [1],
  },
  '/v1/records': {
    'filter_episode_id=1': [1, 2],
    'filter_episode_id=2': [3],
    'filter_has_record_comment=true': [1, 3, 4],
    'filter_has_record_comment=false': [2, 5, 6],
    'filter_work_id=1': [1, 2, 3, 6],
    'filter_work_id=2': [5],
    'filter_username=mio': [1],
    'filter_username=ritsu_t': [2, 3, 4, 5],
    'sort_likes_count=asc': [2, 3, 4, 5, 6, 1],
    'sort_likes_count=desc': [1, 2, 3, 4, 5, 6],
  },
  '/v1/reviews': {
    'filter_work_id=1': [1, 2],
    'filter_work_id=2': [3],
    'filter_has_review_body=true': [1, 2],
    'filter_has_review_body=false': [3],
    'filter_username=mio': [1],
    'filter_username=ritsu_t': [2, 3],
    'sort_likes_count=asc': [2, 3, 1],
    'sort_likes_count=desc': [1, 2, 3],
  },
  '/v1/activities': {
    'filter_user_id=1': [1],
    'filter_user_id=2': [2, 3, 4, 5],
    'filter_username=mio': [1],
    'filter_username=ritsu_t': [2, 3, 4, 5],
    'filter_actions=create_record': [1, 2, 6],
    'filter_actions=create_review,create_status': [3, 4],
  },
  '/v1/me/following_activities': {
    'filter_actions=create_record': [2],
    'filter_actions=create_review': [3],
    'filter_muted=true': [2, 3, 4, 5],
    'filter_muted=false': [2, 3, 4, 5, 6],
  },
  '/v1/me/works': {
    'filter_season=2021-spring': [1, 9],
    'filter_season=2021-all': [1, 2, 3, 9],
    'filter_title=庭': [1, 9],
    'filter_title=海': [3],
    'filter_status=watching': [1, 9],
    'filter_status=on_hold': [3],
    'sort_season=asc': [5, 2, 1, 9, 3],
    'sort_season=desc': [3, 1, 9, 2, 5],
    'sort_watchers_count=asc': [3, 1, 2, 5, 9],
    'sort_watchers_count=desc': [1, 2, 5, 9, 3],
  },
  '/v1/me/programs': {
    'filter_channel_ids=1': [3, 1],
    'filter_channel_ids=2': [2],
    'filter_work_ids=1': [1, 2],
    'filter_work_ids=2': [3],
    'filter_started_at_gt=2026/03/31': [1, 2],
    'filter_started_at_gt=2026/04/01': [2],
    'filter_started_at_lt=2026/03/31': [3],
    'filter_started_at_lt=2026/04/01': [3, 1],
    'filter_unwatched=true': [3, 2],
    'filter_unwatched=false': [3, 1, 2],
    'filter_rebroadcast=true': [2],
    'filter_rebroadcast=false': [3, 1],
    'sort_started_at=asc': [3, 1, 2],
    'sort_started_at=desc': [2, 1, 3],
  },
  '/v1/me/slots': {},
  '/v1/me/feeds': {},
  '/v1/me/channels': {},
  '/v1/comments': {
    'filter_record_id=1': [1, 2],
    'filter_record_id=2': [],
    'filter_review_id=2': [3],
    'filter_review_id=1': [],
  },
  '/v1/lists': {
    'filter_work_id=1': [1, 2],
    'filter_work_id=2': [1, 3],
    'filter_username=mio': [1, 3],
    'filter_username=ritsu_t': [2],
  },
  '/v1/me/lists': { 'filter_work_id=1': [1], 'filter_work_id=2': [1, 3] },
  '/v1/lists/:id/items': {},
  '/v1/me/notifications': { 'filter_unread=true': [2, 3], 'filter_unread=false': [1] },
  '/v1/me/imports': {},
  '/v1/me/imports/:id/rows': {
    'filter_state=check': [1],
    'filter_state=new': [],
    'filter_reason=title_without_year': [1],
    'filter_reason=title_differs': [],
  },
}

const lists = endpoints.filter(({ operation }) => 'page' in operation.params)
const isAlsoElsewhere = (name: string) => name === 'filter_ids' || name === 'sort_id'
const narrowing = lists.flatMap(({ path, operation }) =>
  Object.keys(operation.params)
    .filter((name) => /^(?:filter|sort)_/.test(name) && !isAlsoElsewhere(name))
    .map((name) => [path, name] as const),
)
const known = (path: string, name: string) =>
  Object.entries(finds[path] ?? {}).filter(([asked]) => asked.startsWith(`${name}=`))

describe.each(narrowing)('%s %s', (path, name) => {
  test('is known here, and its values differ in what they find', () => {
    const found = known(path, name).map(([, ids]) => String(ids))
    expect(new Set(found).size, 'add at least two values, or both orders, to `finds`').toBeGreaterThan(1)
    if (name.startsWith('sort_')) {
      expect(known(path, name).map(([asked]) => asked)).toEqual([`${name}=asc`, `${name}=desc`])
      const [, ids = []] = known(path, name)[0] ?? []
      expect(ids, 'the order of the ids, so that sorting by these would pass').not.toEqual(
        ids.toSorted((a, b) => a - b),
      )
    }
  })

  test.each(known(path, name))('%s', async (asked, ids) => {
    const body: Body = await kiroku.json(`${targetOf(path)}?${asked}`)
    expect(itemsOf(body).map(({ id, row }) => id ?? row)).toEqual([...ids])
    expect(body.total_count).toBe(ids.length)
  })
})

/** What one user has is sorted when it is asked for. */
const ofInstance = narrowing.filter(([path, name]) => name.startsWith('sort_') && !path.startsWith('/v1/me/'))

test.each(ofInstance)('%s %s: an index has this order, both ways', async (path, name) => {
  const prepare = spyOn(Database.prototype, 'prepare')
  const instance = await createInstance({ seed: seedImports })
  for (const order of ['asc', 'desc']) await instance.json(`${path}?${name}=${order}&per_page=1`)
  const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^select .* offset /s.test(sql))
  prepare.mockRestore()
  const { handle } = instance.store
  const steps = statements.flatMap((sql) =>
    handle.query<{ detail: string }, []>(`explain query plan ${sql}`).all(),
  )
  expect(statements, 'the seed data has no row of this list').not.toBeEmpty()
  expect(steps.map(({ detail }) => detail).filter((step) => /TEMP B-TREE/.test(step))).toEqual([])
  await instance.close()
})
