import { defineSource } from '../source'
import { type Answer, readAnswer, requests } from './wikidata/answers'
import { linesOf } from './wikidata/lines'

/** Adds missing ids and texts to works in the catalogue. */
export const wikidata = defineSource<Answer>({
  name: 'wikidata',
  title: 'Wikidata',
  licence: 'CC0',
  home: 'https://www.wikidata.org/',
  hosts: ['query.wikidata.org'],
  intervalMs: 30 * 86_400_000,
  // Each minute allows one minute of query time, which a single query may use up.
  pace: { perSecond: 0.2 },
  maxBytes: 32 * 1024 * 1024,
  settings: [],
  matchTitles: false,
  requests,
  read: readAnswer,
  lines: linesOf,
})
