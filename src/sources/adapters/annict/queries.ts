const episodes = (more: string) => `
  episodes(first: 500, ${more}orderBy: {field: SORT_NUMBER, direction: ASC}) {
    pageInfo { hasNextPage endCursor }
    nodes { annictId number numberText sortNumber title }
  }`

const named = 'annictId name nameKana nameEn'

/** Annict's public schema. Requests the latest broadcasts of each work. */
export const worksQuery = inOneLine(`
query($seasons: [String!], $annictIds: [Int!], $first: Int!, $after: String, $withPrograms: Boolean!) {
  searchWorks(seasons: $seasons, annictIds: $annictIds, first: $first, after: $after,
    orderBy: {field: WATCHERS_COUNT, direction: DESC}) {
    pageInfo { hasNextPage endCursor }
    nodes {
      annictId title titleKana titleEn titleRo media seasonYear seasonName malAnimeId syobocalTid
      officialSiteUrl wikipediaUrl twitterUsername twitterHashtag noEpisodes
      ${episodes('')}
      casts(first: 200, orderBy: {field: SORT_NUMBER, direction: ASC}) {
        nodes { annictId sortNumber name nameEn character { ${named} } person { ${named} } }
      }
      staffs(first: 200, orderBy: {field: SORT_NUMBER, direction: ASC}) {
        nodes {
          annictId sortNumber name nameEn roleText roleOther
          resource { __typename ... on Person { ${named} } ... on Organization { ${named} } }
        }
      }
      seriesList(first: 10) { nodes { annictId name nameRo nameEn } }
      programs(first: 500, orderBy: {field: STARTED_AT, direction: DESC}) @include(if: $withPrograms) {
        nodes {
          annictId startedAt rebroadcast
          channel { annictId name scChid channelGroup { annictId name sortNumber } }
          episode { annictId }
        }
      }
    }
  }
}`)

export const episodesQuery = inOneLine(`
query($annictIds: [Int!], $after: String) {
  searchWorks(annictIds: $annictIds, first: 1) { nodes { annictId ${episodes('after: $after, ')} } }
}`)

function inOneLine(query: string): string {
  return query.trim().replace(/\s+/g, ' ')
}
