import { statusKinds } from '../../library/statuses'
import { Columns } from '../write/columns'

/** Everything the members do to works, in the order of members. Times are epoch milliseconds. */
export interface History {
  /**
   * `kind` stands for what was done (`deedOf`), `first` and `count` the episodes of a record, `watched` when they were
   * watched; `member` and `work` are places.
   */
  readonly acts: Columns<keyof Act>
  /** What the status of each member's works is in the end; a member's works by their ids, as the table has them. */
  readonly statuses: Columns<'time' | 'member' | 'work' | 'kind'>
}

/** What an act can be: recording, reviewing, or giving a status. */
const deeds = ['record', 'review', ...statusKinds] as const
export type Deed = (typeof deeds)[number]
export type StatusKind = (typeof statusKinds)[number]

/** A deed as `acts` and `statuses` keep it in `kind`. */
export const codeOf = (deed: Deed): number => deeds.indexOf(deed)

export const emptyHistory = (): History => ({
  acts: new Columns({
    ...{ time: 'float', watched: 'float', member: 'word', work: 'word' },
    ...{ first: 'word', count: 'byte', kind: 'byte' },
  }),
  statuses: new Columns({ time: 'float', member: 'word', work: 'word', kind: 'byte' }),
})

/** One act, its member and work by place; see `History`. */
export type Act = Readonly<
  Record<'time' | 'watched' | 'member' | 'work' | 'first' | 'count' | 'kind', number>
>

/** The deed of such a `kind`. */
export const deedOf = ({ kind }: { kind: number }): Deed => deeds[kind] ?? 'record'
