import { expect } from 'bun:test'
import { types } from '../support/instance'
import { idOf } from './support'

export interface ClientDocument {
  readonly name: string
  readonly init: {
    readonly search?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }
  /** In the form that `expect` compares. */
  readonly expected: unknown
}

export const json = (query: string, variables?: object, operationName?: string) => ({
  headers: { 'content-type': types.json },
  body: JSON.stringify({ query, variables, operationName }),
})

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

export const anything = expect.anything()

/** Documents as different clients send them, in an order in which each finds what it expects. */
export const clientDocuments: readonly ClientDocument[] = [
  {
    name: 'an app shows what is being watched, with a single value for a list and an empty cursor',
    init: json(
      `query Library($states: [StatusState!], $after: String) {
        viewer { libraryEntries(states: $states, after: $after, first: 20) {
          nodes { id work { ...WorkParts } nextEpisode { annictId numberText title } }
          pageInfo { hasNextPage endCursor } } } }
      fragment WorkParts on Work { annictId title image { recommendedImageUrl } viewerStatusState }`,
      { states: 'WANNA_WATCH', after: '' },
      'Library',
    ),
    expected: {
      viewer: {
        libraryEntries: {
          nodes: [
            {
              id: idOf('LibraryEntry', 2),
              work: {
                annictId: 2,
                title: 'ガラスの汽車',
                image: { recommendedImageUrl: '' },
                viewerStatusState: 'WANNA_WATCH',
              },
              nextEpisode: { annictId: 6, numberText: null, title: null },
            },
          ],
          pageInfo: { hasNextPage: false, endCursor: 'MQ' },
        },
      },
    },
  },
  {
    name: 'a browser extension looks a title up, in a form',
    init: {
      headers: { 'content-type': types.form },
      body: form({
        query:
          'query ($titles: [String!]) { searchWorks(titles: $titles) { nodes { id annictId title seasonYear seasonName episodes(orderBy: {field: SORT_NUMBER, direction: ASC}) { nodes { id number title } } } } }',
        variables: JSON.stringify({ titles: ['星降る'] }),
      }),
    },
    expected: {
      searchWorks: {
        nodes: [
          {
            ...{
              id: idOf('Work', 1),
              annictId: 1,
              title: '星降る庭',
              seasonYear: 2021,
              seasonName: 'SPRING',
            },
            episodes: {
              nodes: [
                { id: idOf('Episode', 4), number: null, title: null },
                { id: idOf('Episode', 2), number: 2, title: '夜' },
                { id: idOf('Episode', 3), number: 2, title: null },
                { id: idOf('Episode', 1), number: 1, title: '庭のはじまり' },
              ],
            },
          },
        ],
      },
    },
  },
  {
    name: 'a recorder marks episodes by aliases in one document, and sets the status',
    init: json(
      `mutation ($a: ID!, $b: ID!, $work: ID!) {
        e1: createRecord(input: {episodeId: $a, ratingState: GOOD}) { clientMutationId }
        e2: createRecord(input: {episodeId: $b}) { record { annictId createdAt } }
        status: updateStatus(input: {state: WATCHED, workId: $work}) { work { viewerStatusState } } }`,
      { a: idOf('Episode', 2), b: idOf('Episode', 3), work: idOf('Work', 1) },
    ),
    expected: {
      e1: { clientMutationId: null },
      e2: {
        record: {
          annictId: 8,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        },
      },
      status: { work: { viewerStatusState: 'WATCHED' } },
    },
  },
  {
    name: 'an exporter asks for everything, without first',
    init: json(`{ viewer { username
      records(orderBy: {field: CREATED_AT, direction: DESC}) { edges { cursor node { episode { numberText work { title malAnimeId syobocalTid } } ratingState comment } } }
      works(state: WATCHED) { nodes { title media } } } }`),
    expected: {
      viewer: {
        username: 'mio',
        records: {
          edges: [
            { cursor: 'MQ', node: anything },
            { cursor: 'Mg', node: anything },
            {
              cursor: 'Mw',
              node: {
                episode: {
                  numberText: '第1話',
                  work: { title: '星降る庭', malAnimeId: '40001', syobocalTid: 9001 },
                },
                ...{ ratingState: 'GREAT', comment: 'よかった' },
              },
            },
          ],
        },
        works: {
          nodes: [
            { title: '星降る庭', media: 'TV' },
            { title: '100%の恋', media: 'TV' },
          ],
        },
      },
    },
  },
  {
    name: 'a command-line tool sends the query in the URL, without a body',
    init: {
      search: `?${form({ query: '{ viewer { programs(unwatched: true) { nodes { startedAt channel { name } work { title } } } } }', variables: '' })}`,
    },
    expected: { viewer: { programs: { nodes: [] } } },
  },
  {
    name: 'a bot follows activities by their kinds',
    init: json(
      `query ($last: Int) { user(username: "Ritsu_T") { activities(last: $last) { edges { action item { __typename
      ... on Record { comment } ... on MultipleRecord { records { nodes { episode { title } } } } ... on Status { state work { title } } } } } } }`,
      { last: 2 },
    ),
    expected: {
      user: {
        activities: {
          edges: [
            {
              action: 'CREATE',
              item: { __typename: 'Status', state: 'WATCHING', work: { title: '星降る庭' } },
            },
            {
              action: 'CREATE',
              item: {
                __typename: 'MultipleRecord',
                records: { nodes: [{ episode: { title: '夜' } }, { episode: { title: null } }] },
              },
            },
          ],
        },
      },
    },
  },
  {
    name: 'a cache keeps ids and asks for them again',
    init: json('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', {
      ids: [idOf('Work', 1), idOf('LibraryEntry', 1)],
    }),
    expected: {
      nodes: [
        { __typename: 'Work', id: idOf('Work', 1) },
        { __typename: 'LibraryEntry', id: idOf('LibraryEntry', 1) },
      ],
    },
  },
]
