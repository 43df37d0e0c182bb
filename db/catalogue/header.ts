export interface HeaderLine {
  type: 'catalogue'
  version: 1
  name: string
  mode: 'upsert'
  preserve_ids: string[]
  sources: { id: string; name: string; license: string; rev: string; url: string }[]
}

/** Sources and licences. Contains no time, so that builds are deterministic. */
export function headerLine(revisions: Map<string, string>): HeaderLine {
  return {
    type: 'catalogue',
    version: 1,
    name: 'bangumi-data',
    mode: 'upsert',
    preserve_ids: ['annict'],
    sources: credits.map((credit) => ({ ...credit, rev: revisions.get(credit.name) ?? '' })),
  }
}

const credits = [
  {
    id: 'bangumi-data',
    name: 'bangumi-data',
    license: 'CC-BY-4.0 (changed)',
    url: 'https://github.com/bangumi-data/bangumi-data',
  },
  {
    id: 'arm',
    name: '@kawaiioverflow/arm',
    license: 'MIT',
    url: 'https://github.com/kawaiioverflow/arm',
  },
  {
    id: 'bgmd',
    name: 'bgmd',
    license: 'MIT (air dates and names only)',
    url: 'https://github.com/yjl9903/bgmc',
  },
  {
    id: 'anime-sachedule-search-data',
    name: 'anime-sachedule-search-data',
    license: 'MIT (episode counts only)',
    url: 'https://github.com/yilihjy/anime-sachedule-search-data',
  },
  {
    id: 'kuromoji',
    name: 'kuromoji',
    license: 'Apache-2.0 (its dictionary IPADIC under its own; readings of titles for search only)',
    url: 'https://github.com/takuyaa/kuromoji.js',
  },
  {
    id: 'arm-supplementary',
    name: 'SlashNephy/arm-supplementary',
    license: 'MIT (facts of works: ids, medium, season, title)',
    url: 'https://github.com/SlashNephy/arm-supplementary',
  },
  {
    id: 'anime-relations',
    name: 'erengy/anime-relations',
    license: 'CC0 (episode counts only)',
    url: 'https://github.com/erengy/anime-relations',
  },
]
