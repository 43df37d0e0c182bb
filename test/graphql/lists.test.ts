import { afterAll, expect, test } from 'bun:test'
import { type Body, createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking, idOf } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
const { data, errors, result } = asking(kiroku)

const all = [1, 2, 3, 4, 5, 6, 7, 8, 10]

test.each([
  ['CREATED_AT', 'ASC', all],
  ['CREATED_AT', 'DESC', all.toReversed()],
  ['SEASON', 'ASC', [5, 6, 2, 1, 8, 3, 7, 4, 10]],
  ['SEASON', 'DESC', [7, 3, 8, 1, 2, 5, 6, 4, 10]],
])('works are ordered by %s %s as by REST, ties by id', async (field, direction, expected) => {
  const works = await data(
    `{ searchWorks(orderBy: {field: ${field}, direction: ${direction}}) { nodes { annictId } } }`,
  )
  expect(works.searchWorks.nodes.map(({ annictId }: Body) => annictId)).toEqual(expected)
})

const searched =
  'query ($ids: [Int!], $seasons: [String!], $titles: [String!]) { searchWorks(annictIds: $ids, seasons: $seasons, titles: $titles) { nodes { annictId } } }'

test.each([
  [{}, all],
  [{ ids: null, seasons: null, titles: null }, all],
  [{ ids: [] }, []],
  [{ ids: [9, 2, 1] }, [1, 2]],
  [{ ids: 3 }, [3]],
  [{ titles: [], seasons: [] }, all],
  [{ titles: [''], seasons: ['', ' 　'] }, all],
  [{ titles: ['', '恋', ' '], seasons: [''] }, [5, 6]],
  [{ titles: '', seasons: ['', '2021-all'] }, [1, 2, 3, 8]],
  [{ ids: [], titles: [''] }, []],
  [{ titles: ['ほし', '別名のstar'] }, [1]],
  [{ titles: ['１００％', 'a_b'] }, [3, 5, 6, 7]],
  [{ titles: '恋' }, [5, 6]],
  [{ seasons: ['2021-all'] }, [1, 2, 3, 8]],
  [{ seasons: ['2021-spring', '2020-autumn'], titles: ['恋'] }, [5, 6]],
])(
  'searchWorks with %p finds %p: blank texts and empty lists of them are not given (D112)',
  async (variables, expected) => {
    const { searchWorks } = await data(searched, variables)
    expect(searchWorks.nodes.map(({ annictId }: Body) => annictId)).toEqual(expected)
  },
)

test('an invalid season is named', async () => {
  for (const seasons of [['2021-spring', 'spring'], ['21-all'], ['', 'x']])
    expect(await errors(searched, { seasons })).toEqual([`Invalid season(s): ${seasons.at(-1)}`])
  for (const name of ['seasonFrom', 'seasonUntil'])
    expect(await errors(`{ viewer { libraryEntries(${name}: "x") { nodes { id } } } }`)).toEqual([
      'Invalid season(s): x',
    ])
})

const entries =
  'query ($s: [StatusState!], $from: String, $until: String, $seasons: [String!]) { viewer { libraryEntries(states: $s, seasonFrom: $from, seasonUntil: $until, seasons: $seasons) { nodes { work { annictId } } } } }'

test.each([
  [{}, [1, 2, 3, 5, 9]],
  [{ s: 'WATCHING' }, [1, 9]],
  [{ s: ['WATCHED', 'ON_HOLD'] }, [3, 5]],
  [{ s: [] }, [1, 2, 3, 5, 9]],
  [{ s: [], seasons: ['2021-winter'] }, [2]],
  [{ s: 'NO_STATE' }, []],
  [{ from: '2021-spring' }, [1, 3, 9]],
  [{ until: '2021-winter' }, [2, 5]],
  [{ seasons: ['2021-all'] }, [1, 2, 3, 9]],
  [{ s: 'WATCHING', seasons: [] }, [1, 9]],
  [{ seasons: ['', '2021-all'] }, [1, 2, 3, 9]],
])(
  'libraryEntries with %p has the works %p: an empty list of states is not given (D112)',
  async (variables, expected) => {
    const { viewer } = await data(entries, variables)
    expect(viewer.libraryEntries.nodes.map(({ work }: Body) => work.annictId)).toEqual(expected)
  },
)

test('libraryEntries are ordered by the last record or change of the status', async () => {
  const order = async () => {
    const { viewer } = await data(
      '{ viewer { libraryEntries(orderBy: {field: LAST_TRACKED_AT, direction: DESC}) { nodes { work { annictId } } } } }',
    )
    return viewer.libraryEntries.nodes.map(({ work }: Body) => work.annictId)
  }
  expect((await order()).at(-1)).not.toBe(2)
  await data(`mutation { createRecord(input: {episodeId: "${idOf('Episode', 6)}"}) { clientMutationId } }`)
  expect((await order())[0]).toBe(2)
})

test('another user’s works have the caller’s status', async () => {
  const { user } = await data(
    '{ user(username: "RITSU_t") { works { nodes { annictId viewerStatusState } } watched: works(state: WATCHED) { nodes { annictId } } } }',
  )
  expect(user).toEqual({
    works: {
      nodes: [
        { annictId: 1, viewerStatusState: 'WATCHING' },
        { annictId: 4, viewerStatusState: 'NO_STATE' },
      ],
    },
    watched: { nodes: [{ annictId: 4 }] },
  })
})

test('programs, records, reviews and activities equal those of REST', async () => {
  const { viewer, user, work } = await data(`{
    viewer { programs { nodes { annictId } } unwatched: programs(unwatched: true) { nodes { annictId } } followingActivities { nodes { annictId } } }
    user(username: "ritsu_t") { records(hasComment: true) { nodes { annictId } } activities(orderBy: {field: CREATED_AT, direction: DESC}) { edges { annictId action item { __typename ... on MultipleRecord { records { nodes { annictId } } } ... on Status { annictId state } } user { username } node { annictId } } } followers { nodes { username } } following { nodes { username } } }
    work: node(id: "${idOf('Work', 1)}") { ... on Work { reviews(hasBody: true) { nodes { annictId } } programs { nodes { annictId } } } } }`)
  expect(viewer.programs.nodes).toEqual([{ annictId: 1 }, { annictId: 2 }])
  expect(viewer.unwatched.nodes).toEqual([{ annictId: 2 }])
  // azusa is muted; mio's own are included
  expect(viewer.followingActivities.nodes.map(({ annictId }: Body) => annictId).slice(0, 5)).toEqual([
    1, 2, 3, 4, 5,
  ])
  expect(user.records.nodes).toEqual([{ annictId: 3 }, { annictId: 4 }])
  expect(user.activities.edges.map(({ annictId, action, item }: Body) => [annictId, action, item])).toEqual([
    [5, 'CREATE', { __typename: 'MultipleRecord', records: { nodes: [{ annictId: 3 }, { annictId: 5 }] } }],
    [4, 'CREATE', { __typename: 'Status', annictId: 4, state: 'WATCHING' }],
    [3, 'CREATE', { __typename: 'Review' }],
    [2, 'CREATE', { __typename: 'Record' }],
  ])
  expect([user.followers.nodes, user.following.nodes]).toEqual([[{ username: 'mio' }], [{ username: 'mio' }]])
  expect(work).toEqual({
    reviews: { nodes: [{ annictId: 1 }, { annictId: 2 }] },
    programs: { nodes: [{ annictId: 1 }, { annictId: 2 }] },
  })
})

test('blank names find everybody, as none do (D112)', async () => {
  const people = '{ searchPeople(names: NAMES) { nodes { annictId } } }'
  const everybody = await data(people.replace('NAMES', 'null'))
  for (const names of ['[]', '["", "　"]', '""'])
    expect(await data(people.replace('NAMES', names))).toEqual(everybody)
})

test('hidden rows are in no list, but still inside what was written about them (D42)', async () => {
  const answer =
    await data(`{ searchWorks(annictIds: [9]) { nodes { id } } searchEpisodes(annictIds: [5, 7]) { nodes { id } }
    searchPeople { nodes { annictId } } searchCharacters(names: "隠れた") { nodes { annictId } } searchOrganizations { nodes { annictId } }
    user(username: "ritsu_t") { records { nodes { annictId work { annictId title } episode { annictId } } } } }`)
  expect([answer.searchWorks.nodes, answer.searchEpisodes.nodes, answer.searchCharacters.nodes]).toEqual([
    [],
    [],
    [],
  ])
  expect([answer.searchPeople.nodes, answer.searchOrganizations.nodes]).toEqual([
    [{ annictId: 1 }, { annictId: 2 }],
    [{ annictId: 1 }, { annictId: 2 }],
  ])
  expect(answer.user.records.nodes).toContainEqual({
    annictId: 4,
    work: { annictId: 9, title: '星の消えた庭' },
    episode: { annictId: 7 },
  })
})

test('series have several shown works', async () => {
  kiroku.store.handle.run(
    'insert into series_works (series_id, work_id, source_id) values (1, 1, 1), (1, 2, 1), (1, 9, 1), (2, 1, 1), (2, 9, 1), (3, 1, 1), (3, 2, 1)',
  )
  const { searchWorks } = await data(
    '{ searchWorks(annictIds: 1) { nodes { seriesList { nodes { annictId works(orderBy: {field: SEASON, direction: ASC}) { nodes { annictId } edges { item { annictId } node { annictId } summary summaryEn } } } } } } }',
  )
  const [first, second] = [{ annictId: 2 }, { annictId: 1 }]
  expect(searchWorks.nodes[0].seriesList.nodes).toEqual([
    {
      annictId: 1,
      works: {
        nodes: [first, second],
        edges: [first, second].map((work) => ({ item: work, node: work, summary: null, summaryEn: null })),
      },
    },
  ])
})

test('an unknown user is null without an error, an unknown id null with one', async () => {
  expect(await result('{ user(username: "nobody") { id } }')).toEqual({ data: { user: null } })
  kiroku.store.handle.run('insert into deletions (user_id, keeps_comments, begun_at) values (4, 1, 1)')
  expect(await result('{ user(username: "azusa") { id } }')).toEqual({ data: { user: null } })
  for (const id of [
    '',
    'x',
    '!',
    idOf('Work', 99),
    idOf('Work', -1),
    idOf('Nothing', 1),
    idOf('User', 4),
    idOf('PageInfo', 1),
    idOf('Cast', 4),
  ]) {
    const { data, errors } = await result('query ($id: ID!) { node(id: $id) { id } }', { id })
    expect([id, data, errors[0].path]).toEqual([id, { node: null }, ['node']])
  }
  const ids = [idOf('Episode', 2), 'x', idOf('Work', 1), idOf('Episode', 2)]
  const { nodes } = await data('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids })
  const [episode, work] = [
    { __typename: 'Episode', id: ids[0] },
    { __typename: 'Work', id: ids[2] },
  ]
  expect(nodes).toEqual([episode, null, work, episode])
})
