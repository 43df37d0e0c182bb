import { defineSource } from '../source'
import { type Answer, readAnswer, requests } from './wikidata/answers'
import { linesOf } from './wikidata/lines'

/** Adds ids and texts to works that are here already, where they have none. */
export const wikidata = defineSource<Answer>({
  name: 'wikidata',
  title: 'Wikidata',
  licence: 'CC0',
  home: 'https://www.wikidata.org/',
  hosts: ['query.wikidata.org'],
  intervalMs: 30 * 86_400_000,
  // A minute of query time a minute is allowed, and a query may take one.
  pace: { perSecond: 0.2 },
  maxBytes: 32 * 1024 * 1024,
  settings: [],
  matchTitles: false,
  requests,
  read: readAnswer,
  lines: linesOf,
})
