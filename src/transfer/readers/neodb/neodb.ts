import { type Contents, membersOf, type Reader } from '../reader'
import { isJournal, journalRows } from './journal'
import { markRows, marksIn } from './marks'

/** The CSV export and the ndjson format. A series marked complete was watched to its end. */
export const neodb: Reader = {
  source: 'neodb',
  recognises: (contents) => marksIn(contents).length + journalIn(contents).length > 0,
  rows: (contents) => {
    const journal = journalIn(contents)
    return journal.length > 0 ? journalRows(journal) : markRows(contents)
  },
}

const journalIn = (contents: Contents) =>
  isJournal(contents.places) ? [contents.file] : membersOf(contents, /\.ndjson$/)
