import { statusKinds } from '../library/statuses'
import { Columns } from './columns'

/** Everything the members do to works, in the order of members. Times are epoch milliseconds. */
export interface History {
  /**
   * `kind` is the place of the action in `deeds`, `first` and `count` the episodes of a record, `watched` when they were
   * watched; `member` and `work` are places.
   */
  readonly acts: Columns<'time' | 'watched' | 'member' | 'work' | 'first' | 'count' | 'kind'>
  /** What the status of each member's works is in the end; a member's works by their ids, as the table has them. */
  readonly statuses: Columns<'time' | 'member' | 'work' | 'kind'>
}

/** What an act can be: recording, reviewing, or giving a status. */
export const deeds = ['record', 'review', ...statusKinds] as const
export type Deed = (typeof deeds)[number]
export type StatusKind = (typeof statusKinds)[number]

export const codeOf = (deed: Deed): number => deeds.indexOf(deed)

export const emptyHistory = (): History => ({
  acts: new Columns({
    ...{ time: 'float', watched: 'float', member: 'word', work: 'word' },
    ...{ first: 'word', count: 'byte', kind: 'byte' },
  }),
  statuses: new Columns({ time: 'float', member: 'word', work: 'word', kind: 'byte' }),
})

/** One act, of its member and work by place; see `History`. */
export interface Act {
  readonly deed: Deed
  readonly time: number
  readonly watched: number
  readonly member: number
  readonly work: number
  readonly first: number
  readonly count: number
}

/** What happened first comes first. `order` is that of `acts` by time. */
export function* inOrder({ acts }: History, order: Uint32Array): Generator<Act> {
  for (const place of order) {
    yield {
      deed: deeds[acts.get('kind', place)] ?? 'record',
      time: acts.get('time', place),
      watched: acts.get('watched', place),
      member: acts.get('member', place),
      work: acts.get('work', place),
      first: acts.get('first', place),
      count: acts.get('count', place),
    }
  }
}
