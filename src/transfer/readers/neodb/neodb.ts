import type { Reader } from '../reader'
import { isJournal, journalIn, journalRows } from './journal'
import { markRows, marksIn } from './marks'

/** The CSV export, and the ndjson form. A series that is complete was seen to its end. */
export const neodb: Reader = {
  source: 'neodb',
  recognises: (contents) =>
    contents.kind === 'json'
      ? isJournal(contents.places)
      : marksIn(contents).length + journalIn(contents).length > 0,
  rows: (contents) => {
    const journal = journalIn(contents)
    return journal.length > 0 ? journalRows(journal) : markRows(contents)
  },
}
