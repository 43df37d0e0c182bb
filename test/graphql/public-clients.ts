import { anything, type ClientDocument, json } from './client-documents'
import { idOf } from './support'

/** What public clients send, with fields and variables as in theirs, in documents of our own. */
export const publicClients: readonly ClientDocument[] = [
  {
    name: 'animita, by Apollo Client in TypeScript: its main screen sends the seasons that nobody chose as an empty list',
    init: json(
      `query libraryEntries($states: [StatusState!], $seasons: [String!]) { viewer { libraryEntries(states: $states, seasons: $seasons) {
        nodes { id note status { state __typename } work { annictId malAnimeId title image { facebookOgImageUrl copyright __typename } __typename }
          nextProgram { startedAt channel { annictId name __typename } episode { annictId numberText title __typename } __typename } __typename }
        __typename } __typename } }`,
      { states: ['WANNA_WATCH'], seasons: [] },
      'libraryEntries',
    ),
    expected: {
      viewer: {
        libraryEntries: {
          nodes: [
            {
              ...{ id: idOf('LibraryEntry', 2), note: '' },
              status: { state: 'WANNA_WATCH', __typename: 'Status' },
              work: {
                ...{ annictId: 2, malAnimeId: null, title: 'ガラスの汽車' },
                image: { facebookOgImageUrl: null, copyright: null, __typename: 'WorkImage' },
                __typename: 'Work',
              },
              ...{ nextProgram: null, __typename: 'LibraryEntry' },
            },
          ],
          __typename: 'LibraryEntryConnection',
        },
        __typename: 'User',
      },
    },
  },
  ...[
    { seasons: ['2021-winter'], titles: [], found: [2] },
    { seasons: [], titles: ['恋'], found: [5, 6] },
  ].map(({ found, ...lists }) => ({
    name: `Annictim, by Apollo in Kotlin: works of ${JSON.stringify(lists)}, always with both lists and a null cursor`,
    init: json(
      `query WorkFeeds($seasons: [String!], $titles: [String!], $after: String) {
        searchWorks(seasons: $seasons, titles: $titles, first: 20, after: $after, orderBy: {field: WATCHERS_COUNT, direction: DESC}) {
          __typename nodes { __typename ...Feed } pageInfo { __typename hasNextPage endCursor } } }
      fragment Feed on Work { __typename annictId media image { __typename recommendedImageUrl } }`,
      { ...lists, after: null },
      'WorkFeeds',
    ),
    expected: {
      searchWorks: {
        __typename: 'WorkConnection',
        nodes: found.map((annictId) => ({
          ...{ __typename: 'Work', annictId, media: anything },
          image: { __typename: 'WorkImage', recommendedImageUrl: '' },
        })),
        pageInfo: { __typename: 'PageInfo', hasNextPage: false, endCursor: anything },
      },
    },
  })),
  {
    name: 'anct, by gqlgenc in Go: a search by season, whose missing keyword it splits into one blank text',
    init: json(
      `query SearchWorksByKeyword ($keywords: [String!], $seasons: [String!], $first: Int!) {
        searchWorks(titles: $keywords, seasons: $seasons, first: $first, orderBy: {direction: ASC, field: SEASON}) { nodes { ...Parts } } }
      fragment Parts on Work { annictId title media seasonName seasonYear }`,
      { keywords: [''], seasons: ['2021-spring', '2021-winter'], first: 30 },
      'SearchWorksByKeyword',
    ),
    expected: {
      searchWorks: {
        nodes: [
          { annictId: 2, title: 'ガラスの汽車', media: 'OVA', seasonName: 'WINTER', seasonYear: 2021 },
          { annictId: 1, title: '星降る庭', media: 'TV', seasonName: 'SPRING', seasonYear: 2021 },
        ],
      },
    },
  },
]
