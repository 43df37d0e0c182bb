import { Columns } from '../write/columns'

/** What can be liked: records and reviews as they were written, oldest first of each. */
export interface Posts {
  readonly records: Written
  readonly reviews: Written
}

/** The records, or the reviews. */
export interface Written {
  /** The id of the first; the others follow it. */
  readonly firstId: number
  /** `member` is a place, `time` epoch milliseconds, `text` 1 where something is written and not only rated. */
  readonly rows: Columns<'member' | 'time' | 'text'>
}

export const nothingWritten = (firstId: number): Written => ({
  firstId,
  rows: new Columns({ member: 'word', time: 'float', text: 'byte' }),
})
