/** A connection of the viewer that is read page by page, and the fields to request for each node or edge. */
export interface Connection {
  /** Also the name that the reader of Annict's answers expects. */
  readonly name: 'libraryEntries' | 'records' | 'activities'
  readonly list: 'nodes' | 'edges'
  readonly query: string
}

/** Reviews are available only among the activities. */
export const connections: readonly Connection[] = [
  {
    name: 'libraryEntries',
    list: 'nodes',
    query: queryOf(
      'libraryEntries(first: 50, after: $after)',
      `nodes { status { state createdAt } work {
        annictId title malAnimeId media seasonYear noEpisodes episodesCount
      } }`,
    ),
  },
  {
    name: 'records',
    list: 'nodes',
    query: queryOf(
      'records(first: 50, after: $after, orderBy: { field: CREATED_AT, direction: ASC })',
      `nodes { annictId comment rating ratingState createdAt
        episode { annictId number numberText sortNumber title } work { annictId } }`,
    ),
  },
  {
    name: 'activities',
    list: 'edges',
    query: queryOf(
      'activities(first: 50, after: $after, orderBy: { field: CREATED_AT, direction: ASC })',
      `edges { item { __typename ... on Review {
        annictId title body ratingOverallState createdAt work { annictId title malAnimeId seasonYear episodesCount }
      } } }`,
    ),
  },
]

function queryOf(connection: string, content: string): string {
  const paged = `${connection} { pageInfo { hasNextPage endCursor } ${content} }`
  return `query($after: String) { viewer { ${paged} } }`.replaceAll(/\s+/g, ' ')
}
